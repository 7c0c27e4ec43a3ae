/** Purchases in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type CreditPurchase, creditPurchases } from "./model.ts"

export class CreditPurchaseRepository extends Context.Service<CreditPurchaseRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<CreditPurchase | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<CreditPurchase>>
  /** Cents of all purchases of an account that are paid. */
  readonly paidCents: (account: string) => Effect.Effect<number>
}>()("@svc/paywall/CreditPurchaseRepository") {
  static readonly layer = Layer.effect(
    CreditPurchaseRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return CreditPurchaseRepository.of({
        paidCents: (account) =>
          Effect.orDie(Effect.map(
            sql<
              { readonly cents: number }
            >`SELECT coalesce(sum(amount), 0)::bigint AS cents FROM credit_purchases WHERE account_id = ${account} AND state = 'paid'`,
            ([row]) => row?.cents ?? 0
          )),
        find: (account, id) =>
          Effect.orDie(
            Effect.map(sql`SELECT * FROM credit_purchases WHERE account_id = ${account} AND id = ${id}`, ([row]) =>
              row === undefined ? undefined : creditPurchases.decode(row))
          ),
        list: (account, page) =>
          Effect.orDie(
            Effect.map(listPage(sql, { table: "credit_purchases", where: [sql`account_id = ${account}`] }, page), (rows) =>
              mapPage(rows, creditPurchases.decode))
          )
      })
    })
  )
}
