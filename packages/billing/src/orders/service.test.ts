import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import type { PaymentIntentId } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type OrderFilter, orders as table } from "./model.ts"
import { Orders } from "./service.ts"

const page = { page: 1, per_page: 20 }

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

let keys = 0
const keyed = (operation: string, fingerprint = "f") => ({ key: `order test ${keys++}`, operation, fingerprint })

/** A payment on somebody's behalf, and the order that it paid. */
const buy = Effect.fnUntraced(function*(account: AccountFacts, session: string, customer_id: string | null = null) {
  const { amount, currency, id } = yield* (yield* PaymentIntents).charge({
    account,
    cause: `${account.id}:${session}`,
    customer_present: true,
    origin: { type: "checkout_session", id: session },
    payment: { amount: 1_999, currency: "USD" },
    payment_method_id: "tok_visa"
  })
  return yield* order(account, session, { amount, currency, payment_intent_id: id, customer_id })
})

interface Payment {
  readonly amount: number
  readonly currency: string
  readonly payment_intent_id: PaymentIntentId
  readonly customer_id: string | null
}

const order = Effect.fnUntraced(function*(account: AccountFacts, checkout_session_id: string, payment: Payment) {
  const at = yield* now
  const line_items = [{ name: "Ceramic mug", quantity: 1, unit_amount: payment.amount }]
  const { order: made, events = [], writes = [] } = yield* (yield* Orders).paidOrder({
    account_id: account.id,
    at,
    checkout_session_id,
    line_items,
    metadata: { a: "1" },
    ...payment
  })
  yield* (yield* Committer).commit({ account_id: account.id, at, cause: "test", writes, events, entries: [], set: [], clear: [] })
  return made
})

const refund = Effect.fnUntraced(function*(account: AccountFacts, id: string, amount: number) {
  yield* (yield* PaymentIntents).refund({ account, id, keyed: keyed("payment_intent.refund"), payload: { amount } })
})

const told = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    { readonly data: string; readonly type: string }
  >`SELECT type, data FROM events WHERE account_id = ${account.id} AND resource_type = 'order' ORDER BY seq`
})

layer(services)("orders", (it) => {
  it.effect("one is paid, fulfilled once, and told of", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const orders = yield* Orders
      const made = yield* buy(account, "cs_1", "c")
      assert.deepStrictEqual({ ...(yield* orders.get(account.id, made.id)) }, { ...made })
      assert.deepInclude({ ...made }, { status: "paid", amount: 1_999, customer_id: "c", version: 1 })
      assert.deepStrictEqual(yield* told(account), [])
      const command = { account, id: made.id, keyed: keyed("order.fulfill"), payload: { tracking: { number: "T1", carrier: "DHL" } } }
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => orders.fulfill(command)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(answers.map(({ body }) => body)).size, 1)
      const fulfilled = yield* orders.get(account.id, made.id)
      assert.deepInclude({ ...fulfilled }, { status: "fulfilled", tracking: { number: "T1", carrier: "DHL" }, version: 2 })
      assert.deepStrictEqual(yield* told(account), [{ type: "order.fulfilled", data: table.encode(fulfilled).wire }])
      const again = yield* Effect.flip(orders.fulfill({ ...command, keyed: keyed("order.fulfill") }))
      assert.deepInclude({ ...again }, { error: "invalid_state" })
      assert.strictEqual(
        (yield* Effect.flip(orders.fulfill({ ...command, keyed: keyed("order.fulfill"), version: 1 })))._tag,
        "VersionConflict"
      )
    }))

  it.effect("one whose payment is given back whole is refunded, also after it was fulfilled", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const orders = yield* Orders
      for (const session of ["cs_1", "cs_2"]) {
        const made = yield* buy(account, session)
        if (session === "cs_2") yield* orders.fulfill({ account, id: made.id, keyed: keyed("order.fulfill"), payload: {} })
        yield* refund(account, made.payment_intent_id, 1_000)
        assert.strictEqual((yield* orders.get(account.id, made.id)).status, session === "cs_2" ? "fulfilled" : "paid")
        yield* refund(account, made.payment_intent_id, 999)
        const refunded = yield* orders.get(account.id, made.id)
        assert.strictEqual(refunded.status, "refunded")
        assert.isNotNull(refunded.refunded_at)
        assert.strictEqual(
          (yield* Effect.flip(orders.fulfill({ account, id: made.id, keyed: keyed("order.fulfill"), payload: {} })))._tag,
          "InvalidState"
        )
      }
      assert.deepStrictEqual((yield* told(account)).map(({ type }) => type), ["order.fulfilled"])
    }))

  it.effect("a payment, and a session, has one order", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const { amount, currency, customer_id, payment_intent_id } = yield* buy(account, "cs_1")
      const refused = yield* Effect.flip(order(account, "cs_2", { amount, currency, customer_id, payment_intent_id }))
      assert.strictEqual(refused._tag, "CommitRefused")
      assert.strictEqual((yield* (yield* Orders).list(account.id, {}, page)).total, 1)
    }))

  it.effect("are nobody else's, and lists are narrowed by status, customer, payment and session", () =>
    Effect.gen(function*() {
      const [account, stranger] = [yield* openAccount, yield* openAccount]
      const orders = yield* Orders
      const made = yield* buy(account, "cs_1", "c")
      yield* buy(account, "cs_2")
      const absent = JSON.stringify(yield* Effect.flip(orders.get(stranger.id, "ord_01KDV8Q400ABCDEFGHJKMNPQRS")))
      for (const id of [made.id, "\u0000", ""]) {
        assert.strictEqual(JSON.stringify(yield* Effect.flip(orders.get(stranger.id, id))), absent)
        assert.strictEqual(
          JSON.stringify(yield* Effect.flip(orders.fulfill({ account: stranger, id, keyed: keyed("order.fulfill"), payload: {} }))),
          absent
        )
      }
      const count = (filter: OrderFilter) => Effect.map(orders.list(account.id, filter, page), ({ total }) => total)
      const filters: ReadonlyArray<OrderFilter> = [{}, { status: "paid" }, { status: "fulfilled" }, { customer_id: "c" }, {
        payment_intent_id: made.payment_intent_id
      }, { checkout_session_id: "cs_2" }]
      assert.deepStrictEqual(yield* Effect.forEach(filters, count), [2, 2, 0, 1, 1, 1])
      assert.strictEqual((yield* orders.list(stranger.id, {}, page)).total, 0)
    }))
})
