/** Makes the payment of a try that has begun, and writes down what cannot become a payment. */
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
import { causeOf, inFlight, isTried } from "../../engine/billing-cycles/attempts.ts"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import type { CycleFailure } from "../../engine/subscriptions/failed.ts"
import { after, billingDecision } from "../../engine/subscriptions/steps.ts"
import { type BillingCycle, CYCLE_ORIGIN, type CycleAttempt, effectiveCharge } from "../model.ts"
import { makeFailing } from "./failing.ts"
import { type HandedCycle, HandedOver } from "./charge-handover.ts"
import { makeLoading, type OwedBy } from "./loading.ts"
import { makeTries } from "./tries.ts"

const charging = failPointsAround("cycle_charge")

/** How long a try waits for an account that was stopped from charging meanwhile. */
const STOPPED_MILLIS = Duration.toMillis(Duration.hours(6))

/** From 0 to below 1, to move a try a little; null where time is that of a test's clock, on which tries are exactly on the schedule. */
export const jitter: Effect.Effect<number | null> = Effect.flatMap(
  Present,
  (present) => present === undefined ? Random.next : Effect.succeed(null)
)

/** Makes the function that charges. */
export const makeCharging = Effect.gen(function*() {
  const payments = yield* PaymentIntents
  const failing = yield* makeFailing
  const { cycleOf, owedBy } = yield* makeLoading
  const handed = yield* HandedOver
  const { commit, skip } = yield* makeTries

  const settle = ({ account_id, id }: BillingCycle, decide: (owed: OwedBy) => Effect.Effect<void, CommitRefused>) =>
    untilCommitted<void, never, never>(
      "billing cycle",
      Effect.gen(function*() {
        const cycle = yield* Effect.orDie(cycleOf(account_id, id))
        if (!isTried(cycle) || inFlight(cycle) === undefined) return
        yield* decide(yield* owedBy(cycle))
      })
    )

  /** A try that did not become a payment. */
  const without = (cycle: BillingCycle, cause: CycleFailure["cause"]) =>
    settle(
      cycle,
      (owed) =>
        Effect.flatMap(jitter, (random) =>
          Effect.flatMap(failing(owed, { cause, payment_intent_id: null, decline_code: null, random }), (decision) =>
            commit(owed, decision, "billing_cycle.failed")))
    )

  /** The payment waits for something: whoever reads the try finds it. */
  const note = (cycle: BillingCycle, attempt: CycleAttempt, { id: payment_intent_id }: PaymentIntent) =>
    settle(cycle, (owed) =>
      inFlight(owed.cycle)?.payment_intent_id === payment_intent_id
        ? Effect.void
        : commit(
          owed,
          billingDecision([{
            of: "billing_cycle",
            to: change(owed.cycle, owed.at, {
              payment_intent_id,
              attempts: owed.cycle.attempts.map((one) => one.number === attempt.number ? { ...one, payment_intent_id } : one)
            })
          }]),
          "billing_cycle.pending"
        ))

  const call = ({ cycle, issuer, subscription }: HandedCycle, attempt: CycleAttempt) =>
    payments.charge({
      account: issuer.account,
      cause: causeOf(cycle, attempt),
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
   * Makes the payment of the try under way, or finds what became of it. What follows of its outcome is written with the payment.
   * Undefined where no payment could be made. Fails where nobody knows yet: the timer of the cycle takes it up again.
   */
  return Effect.fnUntraced(
    function*(owed: HandedCycle): Effect.fn.Return<PaymentIntent | undefined, ChargeFailure> {
      const { cycle } = owed
      const attempt = inFlight(cycle)
      if (attempt === undefined) return undefined
      charging.before()
      handed.give(owed)
      const noPayment = (written: Effect.Effect<void, VersionConflict>): Effect.Effect<PaymentIntent | undefined, VersionConflict> =>
        Effect.as(written, undefined)
      const intent = yield* call(owed, attempt).pipe(
        Effect.ensuring(Effect.sync(() => handed.take(cycle.id))),
        Effect.catchTags({
          ValidationError: (error) =>
            error.code === "payment_method_id" ? noPayment(without(cycle, "no_payment_method")) : Effect.fail(error),
          AmountTooLarge: () => noPayment(without(cycle, "card_not_supported")),
          AccountSuspended: ({ message }) =>
            noPayment(
              cycle.status === "failed" || decidesChange(owed.subscription, cycle)
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
