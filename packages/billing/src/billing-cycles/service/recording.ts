/** Records the merchant's result of a cycle's charge: the money was taken elsewhere, or was not taken. */
import { change } from "@svc/kernel/resource/change"
import { type InvalidState, type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { allows } from "@svc/kernel/resource/state-machine"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Write } from "@svc/kernel/road/decision"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { type PaymentIntent, paymentIntents } from "@svc/payments/payment-intents/model"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { Effect, Result } from "effect"
import { paidWith } from "../../engine/billing-cycles/paying.ts"
import {
  beingRefunded,
  contradicted,
  isContradicted,
  isRecorded,
  notOpen,
  payable,
  resultOf
} from "../../engine/billing-cycles/refusals.ts"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import { succeeded } from "../../engine/subscriptions/charged.ts"
import { PlanRepository } from "../../plans/repository.ts"
import type { PaymentDoesNotPayCycle } from "../errors.ts"
import { billingCycleMachine } from "../machine.ts"
import { type BillingCycle, CYCLE_ORIGIN, type RecordChargeResultRequest } from "../model.ts"
import { jitter } from "./charging.ts"
import { makeFailing } from "./failing.ts"
import { type ChargeFacts, makeLoading } from "./loading.ts"
import { makeTries } from "./tries.ts"
import { makeWaitingPayments } from "./waiting-payments.ts"

/** The refusals of a result. */
export type RecordFailure = NotFound | InvalidState | ValidationError | PaymentDoesNotPayCycle | PaymentInFlight

/** A payment that pays a cycle: its amount, and its writes. */
interface Claimed {
  readonly captured_amount: number
  readonly write: Write
}

/**
 * Assigns the payment to the cycle: later refunds and disputes of the payment count for the cycle, and money that became credit is not
 * refunded.
 */
const claimed = ({ at, cycle }: ChargeFacts, payment: PaymentIntent): Result.Result<Claimed, PaymentDoesNotPayCycle | PaymentInFlight> =>
  Result.flatMap(paidWith(cycle, payment), (captured_amount) =>
    payment.open_call?.operation === "refund"
      ? Result.fail(beingRefunded(payment))
      : Result.succeed({
        captured_amount,
        write: paymentIntents.write(change(payment, at, { origin: { type: CYCLE_ORIGIN, id: cycle.id } }))
      }))

export const makeRecording = Effect.gen(function*() {
  const failing = yield* makeFailing
  const freed = yield* makeWaitingPayments
  const intents = yield* PaymentIntentRepository
  const plans = yield* PlanRepository
  const { cycleOf, factsOf } = yield* makeLoading
  const { commit } = yield* makeTries

  /** The payment that the result names; undefined if the merchant took the money elsewhere. */
  const namedBy = Effect.fnUntraced(function*(account: string, { payment_intent_id }: RecordChargeResultRequest) {
    if (payment_intent_id === undefined) return undefined
    return (yield* intents.find(account, payment_intent_id)) ?? (yield* notFound("payment intent"))
  })

  /** The target plan, if a change of plan waits for the charge. */
  const changingOf = ({ cycle, subscription }: ChargeFacts) =>
    subscription.pending_change !== null && decidesChange(subscription, cycle)
      ? plans.find(cycle.account_id, subscription.pending_change.plan_id)
      : Effect.undefined

  return Effect.fnUntraced(
    function*(
      account: string,
      id: string,
      request: RecordChargeResultRequest
    ): Effect.fn.Return<BillingCycle, RecordFailure | CommitRefused> {
      const stored = yield* cycleOf(account, id)
      const result = yield* Effect.fromResult(resultOf(request))
      if (isRecorded(stored, result)) return stored
      const named = yield* namedBy(account, request)
      if (!allows(billingCycleMachine, stored.status, result.success ? "succeed" : "fail")) {
        return yield* notOpen(stored, "record a result of")
      }
      if (isContradicted(stored, result)) return yield* contradicted(stored)
      const { addition, cycle } = yield* freed(stored, "The merchant recorded a result: the payment that waited is cancelled")
      const facts = yield* Effect.fromResult(payable(yield* factsOf(cycle)))
      const { reference: payment_intent_id } = result
      const payment = result.success && named !== undefined ? yield* Effect.fromResult(claimed(facts, named)) : undefined
      const decision = result.success
        ? succeeded({ ...facts, changing: yield* changingOf(facts) }, {
          payment_intent_id,
          reason: "The merchant recorded that it was paid",
          ...(payment === undefined ? {} : { captured_amount: payment.captured_amount })
        })
        : yield* failing(facts, { cause: "recorded_failure", payment_intent_id, decline_code: null, random: yield* jitter })
      const claim = payment === undefined ? [] : [payment.write]
      yield* commit(facts, decision, "billing_cycle.record", { ...addition, writes: [...addition.writes ?? [], ...claim] })
      return decision.steps.reduce((latest, step) => step.of === "billing_cycle" && step.to.id === id ? step.to : latest, cycle)
    }
  )
})
