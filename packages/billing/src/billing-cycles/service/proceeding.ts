/** Goes on with a cycle whose timer is due. */
import type { CommitRefused } from "@svc/kernel/road/committer"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import { inFlight, isTried } from "../../engine/billing-cycles/attempts.ts"
import { chargingWith } from "../../engine/subscriptions/charging.ts"
import { graceOver, isOver } from "../../engine/subscriptions/failed.ts"
import { billingDecision, reached, timerAt } from "../../engine/subscriptions/steps.ts"
import { ATTEMPT, type BillingCycle } from "../model.ts"
import { makeCharging } from "./charging.ts"
import { makeLoading, type OwedBy } from "./loading.ts"
import { makeMethods } from "./methods.ts"
import { makeTries } from "./tries.ts"

/** Makes the function that goes on: a try that is due, what became of the one under way, or the end of the grace. */
export const makeProceeding = Effect.gen(function*() {
  const charge = yield* makeCharging
  const { cycleOf, issuerOf, owedBy } = yield* makeLoading
  const methods = yield* makeMethods
  const payments = yield* PaymentIntents
  const { begin, commit, skip } = yield* makeTries

  /** The method to charge by itself, and whether it is another one than was tried before. */
  const methodFor = Effect.fnUntraced(function*({ cycle, subscription }: OwedBy) {
    const method = yield* methods.of(subscription)
    const tried = cycle.attempts.findLast(({ payment_method_id, trigger }) => payment_method_id !== null && trigger !== "request")
    return { method, isNew: method.id !== null && cycle.attempts.length > 0 && tried?.payment_method_id !== method.id }
  })

  /** A try that is due begins; the cycle with it under way, or undefined where there is nothing to try. */
  const tryDue = Effect.fnUntraced(function*(owed: OwedBy): Effect.fn.Return<BillingCycle | undefined, CommitRefused> {
    const { at, cycle } = owed
    const { isNew, method } = yield* methodFor(owed)
    const isDue = cycle.next_attempt_at !== null && reached(cycle.next_attempt_at, at)
    if (!isDue && !isNew) {
      if (isOver(owed)) yield* commit(owed, graceOver(owed), "billing_cycle.grace")
      else {
        const look = timerAt(ATTEMPT, cycle, cycle.next_attempt_at ?? cycle.grace_until)
        yield* commit(owed, billingDecision([], { set: [look] }), "billing_cycle.wait")
      }
      return undefined
    }
    const how = chargingWith(
      owed.issuer,
      method,
      at,
      isNew
        ? { trigger: "new_method", reason: "There is another payment method" }
        : { trigger: "schedule", reason: "It was due" }
    )
    if (how._tag === "Now") return yield* begin(owed, how)
    yield* skip(owed, how)
    return undefined
  })

  /** A payment that was waiting when its cycle was voided: nobody pays for nothing. */
  const letGo = Effect.fnUntraced(function*({ account_id, id, payment_intent_id }: BillingCycle) {
    if (payment_intent_id === null) return
    const { account } = yield* issuerOf(account_id)
    yield* payments.giveBack({ account, id: payment_intent_id, cause: id })
  })

  return Effect.fnUntraced(function*(account: string, id: string) {
    const cycle = yield* cycleOf(account, id)
    if (cycle.status === "voided") return yield* letGo(cycle)
    if (!isTried(cycle)) return
    const owed = yield* owedBy(cycle)
    const tried = inFlight(cycle) === undefined ? yield* tryDue(owed) : cycle
    if (tried !== undefined) yield* charge({ ...owed, cycle: tried })
  })
})
