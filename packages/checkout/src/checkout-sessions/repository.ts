/** Checkout sessions in Postgres. Every method takes the account first, but for the page, which knows a session by its address. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { addressesOf } from "../addresses.ts"
import { SqlClient } from "effect/sql"
import { type CheckoutSession, type CheckoutSessionFilter, decodeRow } from "./model.ts"

export class CheckoutSessionRepository extends Context.Service<CheckoutSessionRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<CheckoutSession | undefined>
  /** Whoever's it is: for those who were sent its address. */
  readonly findAnyones: (id: string) => Effect.Effect<CheckoutSession | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: CheckoutSessionFilter, page: PageRequest) => Effect.Effect<Page<CheckoutSession>>
}>()("@svc/checkout/CheckoutSessionRepository") {
  static readonly layer = Layer.effect(CheckoutSessionRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const addressed = yield* addressesOf
    const read = (row: object) => Effect.map(addressed(row), decodeRow)
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader`SELECT * FROM checkout_sessions WHERE account_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : yield* read(row)
    }, Effect.orDie)

    const findAnyones = Effect.fnUntraced(function*(id: string) {
      const [row] = yield* reader`SELECT * FROM checkout_sessions WHERE id = ${id}`
      return row === undefined ? undefined : yield* read(row)
    }, Effect.orDie)

    const list = (account: string, { customer_id, payment_intent_id, status }: CheckoutSessionFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]),
        ...(payment_intent_id === undefined ? [] : [sql`payment_intent_id = ${payment_intent_id}`])
      ]
      return Effect.orDie(Effect.flatMap(listPage(sql, { table: "checkout_sessions", where }, page), (rows) =>
        Effect.map(Effect.forEach(rows.data, read), (data) => ({ ...rows, data }))))
    }

    return CheckoutSessionRepository.of({ find, findAnyones, list })
  }))
}
