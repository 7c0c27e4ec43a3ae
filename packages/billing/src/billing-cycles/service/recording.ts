/** Records what a merchant says of a cycle's charge: that the money was taken elsewhere, or was not. */
import { change } from "@svc/kernel/resource/change"
import { type InvalidState, type NotFound, notFound } from "@svc/kernel/resource/errors"
import { allows } from "@svc/kernel/resource/state-machine"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Write } from "@svc/kernel/road/decision"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { type PaymentIntent, paymentIntents } from "@svc/payments/payment-intents/model"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { Effect, Result } from "effect"
import { inFlight } from "../../engine/billing-cycles/attempts.ts"
import { paidWith } from "../../engine/billing-cycles/paying.ts"
import {
  beingRefunded,
  contradicted,
  isContradicted,
  isRecorded,
  notOpen,
  payable,
  underWay
} from "../../engine/billing-cycles/refusals.ts"
import { succeeded } from "../../engine/subscriptions/charged.ts"
import { failed } from "../../engine/subscriptions/failed.ts"
import type { PaymentDoesNotPayCycle } from "../errors.ts"
import { billingCycleMachine } from "../machine.ts"
import { type BillingCycle, CYCLE_ORIGIN, type RecordChargeResultRequest } from "../model.ts"
import { jitter } from "./charging.ts"
import { makeLoading, type OwedBy } from "./loading.ts"
import { makeTries } from "./tries.ts"

/** A payment that pays a cycle: how much, and what is written of it. */
interface Claimed {
  readonly captured_amount: number
  readonly write: Write
}

/** Ids of this service's payments begin so. Any other text is the merchant's own reference of money that was taken elsewhere. */
const PAYMENT = "pi_"

/**
 * The payment that pays a cycle is the cycle's from then on: what is refunded or disputed of it is so of the cycle, and what of it
 * became credit is not refunded.
 */
const claimed = ({ at, cycle }: OwedBy, payment: PaymentIntent): Result.Result<Claimed, PaymentDoesNotPayCycle | PaymentInFlight> =>
  Result.flatMap(paidWith(cycle, payment), (captured_amount) =>
    payment.open_call?.operation === "refund"
      ? Result.fail(beingRefunded(payment))
      : Result.succeed({
        captured_amount,
        write: paymentIntents.write(change(payment, at, { origin: { type: CYCLE_ORIGIN, id: cycle.id } }))
      }))

/** Makes the function that records a result. */
export const makeRecording = Effect.gen(function*() {
  const intents = yield* PaymentIntentRepository
  const { cycleOf, owedBy } = yield* makeLoading
  const { commit } = yield* makeTries

  /** The payment of this account that a recorded result names; undefined where the merchant has the money elsewhere. */
  const namedBy = Effect.fnUntraced(function*(account: string, reference: string | undefined) {
    if (reference?.startsWith(PAYMENT) !== true) return undefined
    return (yield* intents.find(account, reference)) ?? (yield* notFound("payment intent"))
  })

  return Effect.fnUntraced(
    function*(
      account: string,
      id: string,
      result: RecordChargeResultRequest
    ): Effect.fn.Return<BillingCycle, NotFound | InvalidState | PaymentDoesNotPayCycle | PaymentInFlight | CommitRefused> {
      const cycle = yield* cycleOf(account, id)
      if (isRecorded(cycle, result)) return cycle
      const named = yield* namedBy(account, result.payment_intent_id)
      if (!allows(billingCycleMachine, cycle.status, result.success ? "succeed" : "fail")) {
        return yield* notOpen(cycle, "record a result of")
      }
      if (inFlight(cycle) !== undefined) return yield* underWay(cycle)
      if (isContradicted(cycle, result)) return yield* contradicted(cycle)
      const owed = yield* Effect.fromResult(payable(yield* owedBy(cycle)))
      const payment_intent_id = result.payment_intent_id ?? null
      const payment = result.success && named !== undefined ? yield* Effect.fromResult(claimed(owed, named)) : undefined
      const decision = result.success
        ? succeeded(owed, {
          payment_intent_id,
          reason: "The merchant recorded that it was paid",
          ...(payment === undefined ? {} : { captured_amount: payment.captured_amount })
        })
        : failed(owed, { cause: "recorded_failure", payment_intent_id, decline_code: null, random: yield* jitter })
      yield* commit(owed, decision, "billing_cycle.record", payment === undefined ? [] : [payment.write])
      return decision.steps.reduce((latest, step) => step.of === "billing_cycle" && step.to.id === id ? step.to : latest, cycle)
    }
  )
})
