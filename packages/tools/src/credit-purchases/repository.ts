/** Purchases in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type CreditPurchase, decodeRow } from "./model.ts"

export class CreditPurchaseRepository extends Context.Service<CreditPurchaseRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<CreditPurchase | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<CreditPurchase>>
}>()("@svc/tools/CreditPurchaseRepository") {
  static readonly layer = Layer.effect(CreditPurchaseRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return CreditPurchaseRepository.of({
      find: (account, id) =>
        Effect.orDie(Effect.map(sql`SELECT * FROM credit_purchases WHERE account_id = ${account} AND id = ${id}`, ([row]) => row === undefined ? undefined : decodeRow(row))),
      list: (account, page) =>
        Effect.orDie(Effect.map(listPage(sql, { table: "credit_purchases", where: [sql`account_id = ${account}`] }, page), (rows) => mapPage(rows, decodeRow)))
    })
  }))
}
