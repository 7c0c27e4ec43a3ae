/** Balance accounts in Postgres, for reading: the commit road alone moves them. Every method takes the account first. */
import { COUNT_CAP, offsetOf, paginate } from "@svc/kernel/pages"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BalanceAccount } from "./model.ts"

const decodeRow = Schema.decodeUnknownSync(Schema.toCodecJson(BalanceAccount))

export class BalanceRepository extends Context.Service<BalanceRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<BalanceAccount | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<BalanceAccount>>
}>()("@svc/ledger/BalanceRepository") {
  static readonly layer = Layer.effect(BalanceRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* Effect.orDie(sql`SELECT * FROM balance_accounts WHERE account_id = ${account} AND id = ${id}`)
      return row === undefined ? undefined : decodeRow(row)
    })

    const list = Effect.fnUntraced(function*(account: string, page: PageRequest) {
      const owned = sql`account_id = ${account}`
      const within = [owned]
      if (page.after !== undefined) within.push(sql`id < ${page.after}`)
      if (page.before !== undefined) within.push(sql`id > ${page.before}`)
      const backwards = page.before !== undefined
      const select = sql`SELECT * FROM balance_accounts WHERE ${sql.and(within)}
        ORDER BY id ${sql.literal(backwards ? "ASC" : "DESC")} LIMIT ${page.per_page + 1} OFFSET ${offsetOf(page)}`
      const count = sql<{ readonly n: number }>`SELECT count(*) AS n FROM
        (SELECT 1 FROM balance_accounts WHERE ${owned} LIMIT ${COUNT_CAP + 1}) capped`
      const [found, counted] = yield* Effect.orDie(Effect.all([select, count], { concurrency: 2 }))
      const rows = found.map((row) => decodeRow(row))
      return paginate(page, backwards ? rows.reverse() : rows, counted[0]?.n ?? 0)
    })

    return BalanceRepository.of({ find, list })
  }))
}
