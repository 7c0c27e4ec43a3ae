/** Payment methods in Postgres. Every method takes the account first. */
import { COUNT_CAP, offsetOf, paginate } from "@svc/kernel/pages"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow } from "./model.ts"
import type { PaymentMethod } from "./model.ts"

export interface PaymentMethodFilter {
  readonly customer_id?: string
}

export class PaymentMethodRepository extends Context.Service<PaymentMethodRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<PaymentMethod | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: PaymentMethodFilter, page: PageRequest) => Effect.Effect<Page<PaymentMethod>>
}>()("@svc/payments/PaymentMethodRepository") {
  static readonly layer = Layer.effect(PaymentMethodRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* sql`SELECT * FROM payment_methods WHERE account_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = Effect.fnUntraced(function*(account: string, filter: PaymentMethodFilter, page: PageRequest) {
      const where = [sql`account_id = ${account}`]
      if (filter.customer_id !== undefined) where.push(sql`customer_id = ${filter.customer_id}`)
      const within = [...where]
      if (page.after !== undefined) within.push(sql`id < ${page.after}`)
      if (page.before !== undefined) within.push(sql`id > ${page.before}`)
      const backwards = page.before !== undefined
      const [rows, [counted]] = yield* Effect.all([
        sql`SELECT * FROM payment_methods WHERE ${sql.and(within)}
          ORDER BY id ${sql.literal(backwards ? "ASC" : "DESC")} LIMIT ${page.per_page + 1} OFFSET ${offsetOf(page)}`,
        sql<{ readonly n: number }>`SELECT count(*) AS n FROM
          (SELECT 1 FROM payment_methods WHERE ${sql.and(where)} LIMIT ${COUNT_CAP + 1}) capped`
      ], { concurrency: 2 })
      const found = rows.map((row) => decodeRow(row))
      return paginate(page, backwards ? found.reverse() : found, counted?.n ?? 0)
    }, Effect.orDie)

    return PaymentMethodRepository.of({ find, list })
  }))
}
