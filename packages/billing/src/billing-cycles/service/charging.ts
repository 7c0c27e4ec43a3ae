/** How a cycle is charged: a try is begun, its payment made, and what cannot become a payment is written down. */
import { failPointsAround } from "@svc/kernel/fail-points"
import type { VersionConflict } from "@svc/kernel/errors"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, Write } from "@svc/kernel/road/decision"
import type { DateTime } from "effect"
import { Duration, Effect, Random } from "effect"
import { Present } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { type ChargeFailure, PaymentIntents } from "@svc/payments/payment-intents/service"
import { FINALIZE } from "../../invoices/model.ts"
import type { Charging } from "../../subscriptions/rules/charging.ts"
import { decidesChange } from "../../subscriptions/rules/change-plan.ts"
import { type Failure, graceOver, isOver } from "../../subscriptions/rules/failed.ts"
import { TAKEN_UP_MILLIS } from "../../subscriptions/rules/open-cycle.ts"
import { after, changedCycle, type Decision, leadsTo, timer, timerAt } from "../../subscriptions/rules/steps.ts"
import { commitOf } from "../../subscriptions/road.ts"
import { ATTEMPT, type BillingCycle, CYCLE_ORIGIN, type CycleAttempt, effectiveCharge } from "../model.ts"
import { causeOf, ended, inFlight, isTried, skipped, started } from "../rules/attempts.ts"
import { makeFailing } from "./failing.ts"
import { HandedOver } from "./handed.ts"
import { makeLoading, type OwedBy } from "./loading.ts"

const charging = failPointsAround("cycle_charge")

/** How long a try waits for an account that was stopped from charging meanwhile. */
const STOPPED_MILLIS = Duration.toMillis(Duration.hours(6))

/** From 0 to below 1, to move a try a little; null where time is that of a test's clock, on which tries are exactly on the schedule. */
export const jitter: Effect.Effect<number | null> = Effect.flatMap(Present, (present) => present === undefined ? Random.next : Effect.succeed(null))

/** Makes the functions that charge. */
export const makeCharging = Effect.gen(function*() {
  const committer = yield* Committer
  const payments = yield* PaymentIntents
  const failing = yield* makeFailing
  const loading = yield* makeLoading
  const handed = yield* HandedOver

  const commit = ({ at, cycle }: OwedBy, decided: Decision, what: string, more: ReadonlyArray<Write> = []): Effect.Effect<void, CommitRefused> => {
    const commit = commitOf(cycle.account_id, at, decided, [what, `${cycle.id}:${cycle.version}`])
    return committer.commit({ ...commit, writes: [...commit.writes, ...more] })
  }

  /** A try begins. Its invoice gets its number first, where it has none. `key` is that of the request that asks for it. */
  const begin = Effect.fnUntraced(function*(owed: OwedBy, how: Extract<Charging, { readonly _tag: "Now" }>, key?: KeyWrite): Effect.fn.Return<BillingCycle, CommitRefused> {
    const { at, cycle, invoice, issuer } = owed
    // One that was asked for leaves the schedule as it is.
    const next_attempt_at = how.trigger === "request" ? cycle.next_attempt_at : null
    const begun = changedCycle(cycle, at, { attempts: started(cycle.attempts, at, how), next_attempt_at, last_retry_at: cycle.attempts.length === 0 ? cycle.last_retry_at : at })
    const decided = leadsTo([
      { of: "billing_cycle", to: begun },
      ...(invoice?.status === "draft" ? [{ of: "number" as const, draft: invoice, prefix: issuer.prefix, at }] : [])
    ], {
      set: [timerAt(ATTEMPT, cycle, after(at, TAKEN_UP_MILLIS))],
      clear: invoice?.status === "draft" ? [timer(FINALIZE, invoice)] : []
    })
    const trying = commitOf(cycle.account_id, at, decided, ["billing_cycle.begin", `${cycle.id}:${cycle.version}`])
    yield* committer.commit(key === undefined ? trying : { ...trying, key })
    return begun
  })

  /** Nothing was tried; it is looked at again, or waits until the grace is over. */
  const skip = (owed: OwedBy, { at: next_attempt_at, reason }: { readonly at: DateTime.Utc | null; readonly reason: string }): Effect.Effect<void, CommitRefused> => {
    const { at, cycle } = owed
    const going = inFlight(cycle)
    const attempts = going === undefined
      ? skipped(cycle.attempts, at, { reason, next_attempt_at })
      : ended(cycle.attempts, at, { outcome: "skipped", reason, next_attempt_at })
    const left = changedCycle(cycle, at, { next_attempt_at, attempts })
    return isOver({ at, cycle: left })
      ? commit(owed, graceOver({ ...owed, cycle }), "billing_cycle.grace")
      : commit(owed, leadsTo([{ of: "billing_cycle", to: left }], { set: [timerAt(ATTEMPT, cycle, next_attempt_at ?? cycle.grace_until)] }), "billing_cycle.skip")
  }

  const settle = (id: BillingCycle, decide: (owed: OwedBy) => Effect.Effect<void, CommitRefused>) =>
    untilCommitted<void, never, never>("billing cycle", Effect.gen(function*() {
      const cycle = yield* Effect.orDie(loading.cycleOf(id.account_id, id.id))
      if (!isTried(cycle) || inFlight(cycle) === undefined) return
      yield* decide(yield* loading.owedBy(cycle))
    }))

  /** A try that did not become a payment. */
  const without = (cycle: BillingCycle, cause: Failure["cause"]) =>
    settle(cycle, (owed) => Effect.flatMap(jitter, (random) =>
      Effect.flatMap(failing(owed, { cause, payment_intent_id: null, decline_code: null, random }), (decided) => commit(owed, decided, "billing_cycle.failed"))))

  /** The payment waits for something: whoever reads the try finds it. */
  const note = (cycle: BillingCycle, attempt: CycleAttempt, { id: payment_intent_id }: PaymentIntent) =>
    settle(cycle, (owed) => inFlight(owed.cycle)?.payment_intent_id === payment_intent_id
      ? Effect.void
      : commit(owed, leadsTo([{
        of: "billing_cycle",
        to: changedCycle(owed.cycle, owed.at, { payment_intent_id, attempts: owed.cycle.attempts.map((one) => one.number === attempt.number ? { ...one, payment_intent_id } : one) })
      }]), "billing_cycle.pending"))

  const call = ({ cycle, issuer, subscription }: Pick<OwedBy, "cycle" | "issuer" | "subscription">, attempt: CycleAttempt) =>
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
  const charge = Effect.fnUntraced(function*(owed: Pick<OwedBy, "cycle" | "issuer" | "subscription">): Effect.fn.Return<PaymentIntent | undefined, ChargeFailure> {
    const { cycle } = owed
    const attempt = inFlight(cycle)
    if (attempt === undefined) return undefined
    charging.before()
    handed.give(owed)
    const nothing = (written: Effect.Effect<void, VersionConflict>): Effect.Effect<PaymentIntent | undefined, VersionConflict> => Effect.as(written, undefined)
    const intent = yield* call(owed, attempt).pipe(
      Effect.ensuring(Effect.sync(() => handed.take(cycle.id))),
      Effect.catchTags({
        ValidationError: (error) => error.code === "payment_method_id" ? nothing(without(cycle, "no_payment_method")) : Effect.fail(error),
        AmountTooLarge: () => nothing(without(cycle, "card_not_supported")),
        AccountSuspended: ({ message }) =>
          nothing(cycle.status === "failed" || decidesChange(owed.subscription, cycle) ? without(cycle, "generic_decline") : settle(cycle, (now) => skip(now, { at: after(now.at, STOPPED_MILLIS), reason: `${message} Nothing was tried.` })))
      })
    )
    charging.after()
    if (intent?.state === "pending") yield* note(cycle, attempt, intent)
    return intent
  })

  return { ...loading, commit, begin, skip, charge }
})
