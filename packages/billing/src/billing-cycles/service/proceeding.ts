/** Continues a cycle whose timer is due. */
import type { CommitRefused } from "@svc/kernel/road/committer"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import { currentAttempt, isTried } from "../../engine/billing-cycles/attempts.ts"
import { chargingWith } from "../../engine/subscriptions/charging.ts"
import { graceOver, isOver } from "../../engine/subscriptions/failed.ts"
import { billingDecision, reached, timerAt } from "../../engine/subscriptions/steps.ts"
import { ATTEMPT, type BillingCycle } from "../model.ts"
import { makeCharging } from "./charging.ts"
import { type ChargeFacts, makeLoading } from "./loading.ts"
import { makeMethods } from "./methods.ts"
import { makeTries } from "./tries.ts"

/** Begins a due attempt, continues the current attempt, or ends the grace period. */
export const makeProceeding = Effect.gen(function*() {
  const charge = yield* makeCharging
  const { cycleOf, issuerOf, factsOf } = yield* makeLoading
  const methods = yield* makeMethods
  const payments = yield* PaymentIntents
  const { begin, commit, skip } = yield* makeTries

  /** The method to charge, and whether the method differs from the last attempt's. */
  const methodFor = Effect.fnUntraced(function*({ cycle, subscription }: ChargeFacts) {
    const method = yield* methods.of(subscription)
    const tried = cycle.attempts.findLast(({ payment_method_id, trigger }) => payment_method_id !== null && trigger !== "request")
    return { method, isNew: method.id !== null && cycle.attempts.length > 0 && tried?.payment_method_id !== method.id }
  })

  /** Begins a due attempt. Gives the cycle with the attempt, or undefined if none is due. */
  const tryDue = Effect.fnUntraced(function*(facts: ChargeFacts): Effect.fn.Return<BillingCycle | undefined, CommitRefused> {
    const { at, cycle } = facts
    const { isNew, method } = yield* methodFor(facts)
    const isDue = cycle.next_attempt_at !== null && reached(cycle.next_attempt_at, at)
    if (!isDue && !isNew) {
      if (isOver(facts)) yield* commit(facts, graceOver(facts), "billing_cycle.grace")
      else {
        const look = timerAt(ATTEMPT, cycle, cycle.next_attempt_at ?? cycle.grace_until)
        yield* commit(facts, billingDecision([], { set: [look] }), "billing_cycle.wait")
      }
      return undefined
    }
    const how = chargingWith(
      facts.issuer,
      method,
      at,
      isNew
        ? { trigger: "new_method", reason: "There is another payment method" }
        : { trigger: "schedule", reason: "It was due" }
    )
    if (how._tag === "Now") return yield* begin(facts, how)
    yield* skip(facts, how)
    return undefined
  })

  /** Cancels or refunds the waiting payment of a voided cycle. */
  const letGo = Effect.fnUntraced(function*({ account_id, id, payment_intent_id }: BillingCycle) {
    if (payment_intent_id === null) return
    const { account } = yield* issuerOf(account_id)
    yield* payments.reverse({ account, id: payment_intent_id, cause: id })
  })

  return Effect.fnUntraced(function*(account: string, id: string) {
    const cycle = yield* cycleOf(account, id)
    if (cycle.status === "voided") return yield* letGo(cycle)
    if (!isTried(cycle)) return
    const facts = yield* factsOf(cycle)
    const tried = currentAttempt(cycle) === undefined ? yield* tryDue(facts) : cycle
    if (tried !== undefined) yield* charge({ ...facts, cycle: tried })
  })
})
