/** Captures, refunds and voids payments. */
import { makeId } from "@svc/kernel/values/ids"
import { Effect } from "effect"
import { SecondLooks } from "../../second-looks/service.ts"
import { RefundId } from "../model/refunds.ts"
import type { CaptureRequest, RefundRequest } from "../model/requests.ts"
import type { AbandonedPayment } from "../provider/charge.ts"
import { exchangeOf, makeExchange } from "../provider/exchange.ts"
import { makeFollowUp } from "../provider/follow-up.ts"
import { IntentRoad, type IntentWork } from "../road.ts"
import { mayCapture } from "../rules/capture.ts"
import { cancel, mayVoid } from "../rules/ending.ts"
import { isPaidByGiftCard } from "../rules/gift-cards.ts"
import { refund } from "../rules/refund.ts"
import { makeCheckRefund } from "./check-refund.ts"
import { failUnlessMayCharge } from "./suspension.ts"

export const makeCaptureRefundVoid = Effect.gen(function*() {
  const checkRefund = yield* makeCheckRefund
  const road = yield* IntentRoad
  const exchange = yield* makeExchange
  const followUp = yield* makeFollowUp
  const secondLooks = yield* SecondLooks

  return {
    capture: Effect.fnUntraced(function*(work: IntentWork<CaptureRequest>) {
      const { account, payload, resource } = work
      const amount = yield* Effect.fromResult(mayCapture(resource, payload.amount))
      yield* failUnlessMayCharge(account)
      const { quote_id = resource.quote_id } = payload
      const agreed = yield* exchange.agree(exchangeOf(work, amount), quote_id)
      return yield* followUp(work, { operation: "capture", amount, exchange: agreed })
    }),

    refund: Effect.fnUntraced(function*(work: IntentWork<RefundRequest>) {
      const { at, resource } = work
      const { amount, ...options } = yield* checkRefund(work)
      // The sum of all refunds of the payment counts: many small refunds need a second look as well.
      const waiting = yield* secondLooks.ask(
        work,
        { act: "refund", subject_id: resource.id, amount, currency: resource.currency, ...options },
        Effect.succeed(resource.refunded_amount + amount)
      )
      if (waiting !== undefined) return waiting
      if (!isPaidByGiftCard(resource)) return yield* followUp(work, { operation: "refund", amount, options })
      const id = RefundId.make(makeId("ref", at.epochMilliseconds))
      return yield* road.answer(work, refund(resource, { id, amount, provider_reference: null, ...options }, work))
    }),

    void: Effect.fnUntraced(function*(work: IntentWork) {
      const { at, resource } = work
      yield* Effect.fromResult(mayVoid(resource))
      return resource.state === "authorized"
        ? yield* followUp(work, { operation: "void", amount: resource.authorized_amount })
        : yield* road.answer(work, cancel(resource, at, null))
    }),

    /** Cancels a payment that no rail has authorized, with this reason. */
    giveUp: Effect.fnUntraced(function*(work: IntentWork<AbandonedPayment>) {
      const { at, payload: { reason }, resource } = work
      yield* Effect.fromResult(mayVoid(resource))
      return yield* road.answer(work, cancel(resource, at, reason))
    })
  }
})
