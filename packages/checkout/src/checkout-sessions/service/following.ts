/** What the commit of a payment writes for the checkout session that the payment belongs to. */
import { Orders } from "@svc/billing/orders/service"
import type { Addition } from "@svc/kernel/road/decision"
import type { ChangedIntent, EndedIntent, PaymentIntent } from "@svc/payments/payment-intents/model"
import { Effect } from "effect"
import { type CheckoutSession, ORIGIN } from "../model.ts"
import { CheckoutSessionRepository } from "../repository.ts"
import { additionOf } from "../road.ts"
import type { SessionDecision } from "../rules/decision.ts"
import { completed, failed } from "../rules/paying.ts"

const noAddition: Addition = {}

export const makeFollowing = Effect.gen(function*() {
  const [orders, repository] = [yield* Orders, yield* CheckoutSessionRepository]

  const decideFor = Effect.fnUntraced(
    function*({ merchant_id, origin }: PaymentIntent, decide: (session: CheckoutSession) => SessionDecision | undefined) {
      const session = origin?.type === ORIGIN ? yield* repository.find(merchant_id, origin.id) : undefined
      return session === undefined ? undefined : decide(session)
    }
  )

  /** The decision with the order of a session in mode payment. */
  const withOrder = Effect.fnUntraced(function*(decision: SessionDecision, payment_intent_id: PaymentIntent["id"]) {
    const addition = additionOf(decision)
    const { account_id, amount, currency, customer_id, id, line_items, metadata, mode, updated_at: at } = decision.session
    if (mode !== "payment") return addition
    const { events = [], writes = [] } = yield* orders.paidOrder({
      account_id,
      amount,
      at,
      checkout_session_id: id,
      currency,
      customer_id,
      line_items,
      metadata,
      payment_intent_id
    })
    return { ...addition, writes: [...addition.writes, ...writes], events: [...addition.events, ...events] }
  })

  return {
    onCapture: Effect.fnUntraced(function*({ intent }: ChangedIntent) {
      const purchase = { payment_intent_id: intent.id, subscription_id: null }
      const decision = yield* decideFor(intent, (session) => completed(session, purchase, intent.updated_at))
      return decision === undefined ? noAddition : yield* withOrder(decision, intent.id)
    }),

    onEnd: Effect.fnUntraced(function*({ intent }: EndedIntent) {
      const reason = intent.decline_code ?? intent.failure_reason ?? intent.state
      const decision = yield* decideFor(intent, (session) => failed(session, reason, intent.id, intent.updated_at))
      return decision === undefined ? noAddition : additionOf(decision)
    })
  }
})
