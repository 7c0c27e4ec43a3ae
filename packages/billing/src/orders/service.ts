/** The verbs of an order: made with its payment, fulfilled by a request, followed from refunds. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { roadOf } from "@svc/kernel/resource/change"
import type { InvalidState, NotFound } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { type CommandOn, type KeyedFailure, keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { Addition } from "@svc/kernel/road/decision"
import { nextId } from "@svc/kernel/values/ids"
import type { IntentRefund } from "@svc/payments/payment-intents/model"
import { Context, Effect, Layer } from "effect"
import { type FulfillOrderRequest, type Order, orderEvents, type OrderFilter, OrderId, orders } from "./model.ts"
import { OrderRepository } from "./repository.ts"
import { fulfill, type PaidPurchase, pay, refund } from "./rules.ts"

/** An order, and what the commit that takes its money writes besides. */
export interface PaidOrder extends Addition {
  readonly order: Order
}

const noAddition: Addition = {}

export class Orders extends Context.Service<Orders, {
  readonly get: (account: string, id: string) => Effect.Effect<Order, NotFound>
  readonly list: (account: string, filter: OrderFilter, page: PageRequest) => Effect.Effect<Page<Order>>
  readonly fulfill: (command: CommandOn<AccountFacts, FulfillOrderRequest>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState>
  /** For checkout sessions: the order of one that is paid, for the commit that captures its payment. A payment, like a session, has one. */
  readonly paidOrder: (paid: PaidPurchase) => Effect.Effect<PaidOrder>
  /** For refunds: what their commit writes besides. */
  readonly onRefund: (returned: IntentRefund) => Effect.Effect<Addition>
}>()("@svc/billing/Orders") {
  static readonly layer = Layer.effect(
    Orders,
    Effect.gen(function*() {
      const { findByIntent, get, list } = yield* OrderRepository
      const road = yield* roadOf(orders, { type: "order" })

      const verbs = keyedVerbs<AccountFacts, Order, never>(yield* Idempotency, { name: "order", get })

      const fulfillOne = Effect.fnUntraced(function*(work: Work<AccountFacts, Order, FulfillOrderRequest>) {
        const order = yield* Effect.fromResult(fulfill(work.resource, work.payload, work.at))
        return yield* road.answer(work, order, { events: [orderEvents.draft("fulfilled", order, orders.encode(order).wire)] })
      })

      return Orders.of({
        get,
        list,
        fulfill: verbs.on("Orders.fulfill", fulfillOne),
        paidOrder: Effect.fnUntraced(function*(paid: PaidPurchase) {
          const order = pay(OrderId.make(yield* nextId("ord")), paid)
          return { writes: [orders.write(order)], order }
        }),
        onRefund: Effect.fnUntraced(function*({ intent }) {
          // Of a payment that a request made nobody has an order.
          const order = intent.origin === null ? undefined : yield* findByIntent(intent.merchant_id, intent.id)
          const refunded = order === undefined ? undefined : refund(order, intent)
          return refunded === undefined ? noAddition : { writes: [orders.write(refunded)] }
        })
      })
    })
  )
}
