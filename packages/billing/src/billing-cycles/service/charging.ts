/** Makes the payment of an attempt that has begun, and records attempts that cannot become a payment. */
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { change } from "@svc/kernel/resource/change"
import type { VersionConflict } from "@svc/kernel/resource/errors"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { Present } from "@svc/kernel/values/time"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { Duration, Effect, Random } from "effect"
import { chargeCause, currentAttempt, isTried } from "../../engine/billing-cycles/attempts.ts"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import type { CycleFailure } from "../../engine/subscriptions/failed.ts"
import { after, billingDecision } from "../../engine/subscriptions/steps.ts"
import { type BillingCycle, CYCLE_ORIGIN, type CycleAttempt, effectiveCharge } from "../model.ts"
import { ChargeHandover, type ChargingCycle } from "./charge-handover.ts"
import { makeFailing } from "./failing.ts"
import { type ChargeFacts, makeLoading } from "./loading.ts"
import { makeTries } from "./tries.ts"

const charging = failPointsAround("cycle_charge")

/** The wait of an attempt while the account is not allowed to charge. */
const STOPPED_MILLIS = Duration.toMillis(Duration.hours(6))

/** A random number from 0 to below 1 that shifts an attempt; null with a test clock, on which attempts are exactly on schedule. */
export const jitter: Effect.Effect<number | null> = Effect.flatMap(
  Present,
  (present) => present === undefined ? Random.next : Effect.succeed(null)
)

export const makeCharging = Effect.gen(function*() {
  const payments = yield* PaymentIntents
  const failing = yield* makeFailing
  const { cycleOf, factsOf } = yield* makeLoading
  const handover = yield* ChargeHandover
  const { commit, skip } = yield* makeTries

  const settle = ({ account_id, id }: BillingCycle, decide: (facts: ChargeFacts) => Effect.Effect<void, CommitRefused>) =>
    untilCommitted<void, never, never>(
      "billing cycle",
      Effect.gen(function*() {
        const cycle = yield* Effect.orDie(cycleOf(account_id, id))
        if (!isTried(cycle) || currentAttempt(cycle) === undefined) return
        yield* decide(yield* factsOf(cycle))
      })
    )

  /** Records an attempt that did not become a payment. */
  const without = (cycle: BillingCycle, cause: CycleFailure["cause"]) =>
    settle(
      cycle,
      (facts) =>
        Effect.flatMap(jitter, (random) =>
          Effect.flatMap(failing(facts, { cause, payment_intent_id: null, decline_code: null, random }), (decision) =>
            commit(facts, decision, "billing_cycle.failed")))
    )

  /** Records the pending payment in its attempt. */
  const note = (cycle: BillingCycle, attempt: CycleAttempt, { id: payment_intent_id }: PaymentIntent) =>
    settle(cycle, (facts) =>
      currentAttempt(facts.cycle)?.payment_intent_id === payment_intent_id
        ? Effect.void
        : commit(
          facts,
          billingDecision([{
            of: "billing_cycle",
            to: change(facts.cycle, facts.at, {
              payment_intent_id,
              attempts: facts.cycle.attempts.map((one) => one.number === attempt.number ? { ...one, payment_intent_id } : one)
            })
          }]),
          "billing_cycle.pending"
        ))

  const call = ({ cycle, issuer, subscription }: ChargingCycle, attempt: CycleAttempt) =>
    payments.charge({
      account: issuer.account,
      cause: chargeCause(cycle, attempt),
      origin: { type: CYCLE_ORIGIN, id: cycle.id },
      payment: {
        amount: effectiveCharge(cycle),
        currency: cycle.currency,
        customer_id: subscription.customer_id,
        metadata: subscription.metadata
      },
      payment_method_id: attempt.payment_method_id ?? "",
      customer_present: attempt.customer_present
    })

  /**
   * Makes the payment of the current attempt, or finds the payment that was made. The commit of the payment writes the consequences of its
   * outcome. Undefined if no payment could be made. Fails if the outcome is unknown: the timer of the cycle continues.
   */
  return Effect.fnUntraced(
    function*(facts: ChargingCycle): Effect.fn.Return<PaymentIntent | undefined, ChargeFailure> {
      const { cycle } = facts
      const attempt = currentAttempt(cycle)
      if (attempt === undefined) return undefined
      charging.before()
      handover.give(facts)
      const noPayment = (written: Effect.Effect<void, VersionConflict>): Effect.Effect<PaymentIntent | undefined, VersionConflict> =>
        Effect.as(written, undefined)
      const intent = yield* call(facts, attempt).pipe(
        Effect.ensuring(Effect.sync(() => handover.take(cycle.id))),
        Effect.catchTags({
          ValidationError: (error) =>
            error.code === "payment_method_id" ? noPayment(without(cycle, "no_payment_method")) : Effect.fail(error),
          AmountTooLarge: () => noPayment(without(cycle, "card_not_supported")),
          AccountSuspended: ({ message }) =>
            noPayment(
              cycle.status === "failed" || decidesChange(facts.subscription, cycle)
                ? without(cycle, "generic_decline")
                : settle(cycle, (now) => skip(now, { at: after(now.at, STOPPED_MILLIS), reason: `${message} Nothing was tried.` }))
            )
        })
      )
      charging.after()
      if (intent?.state === "pending") yield* note(cycle, attempt, intent)
      return intent
    }
  )
})
