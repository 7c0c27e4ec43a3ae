/** Orders in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Order, type OrderFilter } from "./model.ts"

export class OrderRepository extends Context.Service<OrderRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Order | undefined>
  /** The one that this payment paid. */
  readonly findByIntent: (account: string, intent: string) => Effect.Effect<Order | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: OrderFilter, page: PageRequest) => Effect.Effect<Page<Order>>
}>()("@svc/billing/OrderRepository") {
  static readonly layer = Layer.effect(OrderRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const first = (text: string, values: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(reader.unsafe(text, values), ([row]) => row === undefined ? undefined : decodeRow(row)))

    const list = (account: string, { checkout_session_id, customer_id, payment_intent_id, status }: OrderFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]),
        ...(payment_intent_id === undefined ? [] : [sql`payment_intent_id = ${payment_intent_id}`]),
        ...(checkout_session_id === undefined ? [] : [sql`checkout_session_id = ${checkout_session_id}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "orders", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return OrderRepository.of({
      find: (account, id) => first("SELECT * FROM orders WHERE account_id = $1 AND id = $2", [account, id]),
      findByIntent: (account, intent) => first("SELECT * FROM orders WHERE account_id = $1 AND payment_intent_id = $2", [account, intent]),
      list
    })
  }))
}
