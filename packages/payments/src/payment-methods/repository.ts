/** Payment methods in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
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

    const list = (account: string, { customer_id }: PaymentMethodFilter, page: PageRequest) => {
      const where = [sql`account_id = ${account}`, ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`])]
      return Effect.orDie(Effect.map(listPage(sql, { table: "payment_methods", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return PaymentMethodRepository.of({ find, list })
  }))
}
