/** The verbs of an order: made with its payment, fulfilled by a request, followed from refunds. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { type InvalidState, type NotFound, notFound } from "@svc/kernel/errors"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, keyDone } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import { type CommandOn, type KeyedFailure, keyedVerbs, modeOf, type Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import type { Returned } from "@svc/payments/payment-intents/model"
import { Context, Effect, Layer, Schema } from "effect"
import { type FulfillOrderRequest, type Order, type OrderFilter, OrderId } from "./model.ts"
import { OrderRepository } from "./repository.ts"
import { additionOf, wireOf } from "./road.ts"
import { fulfill, type Paid, pay, refund } from "./rules.ts"

/** An order, and what the commit that takes its money writes besides. */
export interface PaidOrder extends Addition {
  readonly order: Order
}

const isOrderId = Schema.is(OrderId)

const nothing: Addition = {}

export class Orders extends Context.Service<Orders, {
  readonly get: (account: string, id: string) => Effect.Effect<Order, NotFound>
  readonly list: (account: string, filter: OrderFilter, page: PageRequest) => Effect.Effect<Page<Order>>
  readonly fulfill: (command: CommandOn<AccountFacts, FulfillOrderRequest>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState>
  /** For checkout sessions: the order of one that is paid, for the commit that captures its payment. A payment, like a session, has one. */
  readonly paidOrder: (paid: Paid) => Effect.Effect<PaidOrder>
  /** For refunds: what their commit writes besides. */
  readonly onRefund: (returned: Returned) => Effect.Effect<Addition>
}>()("@svc/billing/Orders") {
  static readonly layer = Layer.effect(Orders, Effect.gen(function*() {
    const committer = yield* Committer
    const repository = yield* OrderRepository

    // What is not an id is not asked for: text from outside may hold what Postgres does not take.
    const get = Effect.fn("Orders.get")(function*(account: string, id: string) {
      return (isOrderId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound("order"))
    })

    const verbs = keyedVerbs<AccountFacts, Order, never>(yield* Idempotency, {
      name: "order",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    const fulfillOne = Effect.fnUntraced(function*(work: Work<AccountFacts, Order, FulfillOrderRequest>) {
      const { at, keyed, payload, resource } = work
      const decided = yield* Effect.fromResult(fulfill(resource, payload, at))
      const reply = { status: 200, body: wireOf(decided.order) }
      const key = keyDone(keyed, { type: "order", id: resource.id }, reply, modeOf(work))
      yield* committer.commit({ account_id: resource.account_id, at, cause: keyed.key, entries: [], set: [], clear: [], ...additionOf(decided), key })
      return reply
    })

    return Orders.of({
      get,
      list: Effect.fn("Orders.list")(repository.list),
      fulfill: verbs.on("Orders.fulfill", fulfillOne),
      paidOrder: Effect.fnUntraced(function*(paid: Paid) {
        const decided = pay(OrderId.make(yield* nextId("ord")), paid)
        return { ...additionOf(decided), order: decided.order }
      }),
      onRefund: Effect.fnUntraced(function*({ intent }) {
        // Of a payment that a request made nobody has an order.
        const order = intent.origin === null ? undefined : yield* repository.findByIntent(intent.merchant_id, intent.id)
        const decided = order === undefined ? undefined : refund(order, intent)
        return decided === undefined ? nothing : additionOf(decided)
      })
    })
  }))
}
