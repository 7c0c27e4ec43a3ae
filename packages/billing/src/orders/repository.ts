/** Orders in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../common/rows.ts"
import { type Order, type OrderFilter, orderFilters, orders } from "./model.ts"

export class OrderRepository extends Context.Service<
  OrderRepository,
  Reader<Order, OrderFilter> & {
    /** The order that this payment paid. */
    readonly findByIntent: (account: string, intent: string) => Effect.Effect<Order | undefined>
  }
>()("@svc/billing/OrderRepository") {
  static readonly layer = Layer.effect(
    OrderRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(orders, { name: "order", prefix: "ord", filters: orderFilters })
      const { first } = yield* rowsOf(orders)
      return OrderRepository.of({
        ...reader,
        findByIntent: (account, intent) => first(sql`SELECT * FROM orders WHERE account_id = ${account} AND payment_intent_id = ${intent}`)
      })
    })
  )
}
