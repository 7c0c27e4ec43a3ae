/** Balance accounts in Postgres, for reading: the commit road alone moves them. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { BalanceAccount } from "./model.ts"

const decodeRow = Schema.decodeUnknownSync(Schema.toCodecJson(BalanceAccount))

export class BalanceRepository extends Context.Service<BalanceRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<BalanceAccount | undefined>
  readonly ofCurrency: (account: string, currency: string) => Effect.Effect<BalanceAccount | undefined>
  /** The balances that are not zero, by currency. */
  readonly open: (account: string) => Effect.Effect<ReadonlyArray<BalanceAccount>>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<BalanceAccount>>
}>()("@svc/ledger/BalanceRepository") {
  static readonly layer = Layer.effect(
    BalanceRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        const [row] = yield* Effect.orDie(sql`SELECT * FROM balance_accounts WHERE account_id = ${account} AND id = ${id}`)
        return row === undefined ? undefined : decodeRow(row)
      })

      const ofCurrency = Effect.fnUntraced(function*(account: string, currency: string) {
        const [row] = yield* Effect.orDie(sql`SELECT * FROM balance_accounts WHERE account_id = ${account} AND currency = ${currency}`)
        return row === undefined ? undefined : decodeRow(row)
      })

      const open = (account: string) =>
        Effect.orDie(Effect.map(
          sql`SELECT * FROM balance_accounts
          WHERE account_id = ${account} AND (available <> 0 OR pending <> 0 OR reserved <> 0) ORDER BY currency`,
          (rows) => rows.map((row) => decodeRow(row))
        ))

      const list = (account: string, page: PageRequest) =>
        Effect.orDie(
          Effect.map(listPage(sql, { table: "balance_accounts", where: [sql`account_id = ${account}`] }, page), (rows) =>
            mapPage(rows, decodeRow))
        )

      return BalanceRepository.of({ find, ofCurrency, open, list })
    })
  )
}
