import { assert, describe, it } from "@effect/vitest"
import { capturedIntent, refundOf } from "@svc/payments/payment-intents/fixture"
import { DateTime, Result, Schema } from "effect"
import { orderMachine } from "./machine.ts"
import { Order, OrderId, orders, type OrderStatus, orderStatuses } from "./model.ts"
import { fulfill, pay, refund } from "./rules.ts"

const intent = capturedIntent()
const at = intent.updated_at
const later = DateTime.add(at, { days: 1 })
const lines = [{ name: "Ceramic mug", quantity: 2, unit_amount: 5_000 }]
const paid = pay(OrderId.make("ord_01KDV8Q400ABCDEFGHJKMNPQRS"), {
  account_id: "acct_01KDV8Q400ABCDEFGHJKMNPQRS",
  customer_id: "c",
  amount: 10_000,
  currency: "USD",
  line_items: lines,
  payment_intent_id: intent.id,
  checkout_session_id: "cs_1",
  metadata: { a: "1" },
  at
})

const inState = (status: OrderStatus): Order => ({
  ...paid,
  status,
  fulfilled_at: status === "fulfilled" ? at : null,
  refunded_at: status === "refunded" ? at : null
})
const allowed = (trigger: "fulfill" | "refund") =>
  orderMachine.transitions.flatMap((move) => move.trigger === trigger && move.from !== null ? [move.from] : [])

describe("an order", () => {
  it("begins paid, with what was bought", () => {
    assert.deepInclude({ ...paid }, {
      status: "paid",
      amount: 10_000,
      currency: "USD",
      customer_id: "c",
      paid_at: at,
      fulfilled_at: null,
      refunded_at: null,
      tracking: null,
      version: 1
    })
    assert.deepStrictEqual(paid.line_items, lines)
  })

  it.each(orderStatuses)("that is %s is fulfilled if the machine says so", (status) => {
    const result = fulfill(inState(status), { tracking: { number: "t" } }, later)
    if (!allowed("fulfill").includes(status)) {
      assert(Result.isFailure(result))
      assert.deepInclude({ ...result.failure }, { error: "invalid_state" })
      assert.deepInclude(result.failure.details, { state: status })
      return
    }
    assert.deepInclude({ ...Result.getOrThrow(result) }, {
      status: "fulfilled",
      tracking: { number: "t" },
      fulfilled_at: later,
      version: 2
    })
  })

  it.each(orderStatuses)("that is %s is refunded by the last refund of all, if the machine says so", (status) => {
    const order = inState(status)
    const some = refundOf(intent, 4_000).intent
    const all = refundOf(some, 6_000).intent
    assert.isUndefined(refund(order, some))
    const refunded = refund(order, all)
    if (!allowed("refund").includes(status)) return assert.isUndefined(refunded)
    assert.deepInclude({ ...refunded }, {
      status: "refunded",
      refunded_at: all.updated_at,
      fulfilled_at: order.fulfilled_at,
      version: 2
    })
  })

  it("is encoded as its schema encodes it", () => {
    for (const order of orderStatuses.map(inState)) {
      assert.deepStrictEqual(orders.encode(order).row, { ...Schema.encodeSync(Order)(order) })
      assert.strictEqual(orders.encode(order).wire, JSON.stringify(Schema.encodeSync(Order.json)(order)))
    }
  })
})
