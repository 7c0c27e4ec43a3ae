/** Charges a cycle on request, independent of the schedule. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { allows } from "@svc/kernel/resource/state-machine"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite } from "@svc/kernel/road/decision"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { Effect } from "effect"
import { currentAttempt } from "../../engine/billing-cycles/attempts.ts"
import { notOpen, payable, underWay } from "../../engine/billing-cycles/refusals.ts"
import { billingCycleMachine } from "../machine.ts"
import type { BillingCycle } from "../model.ts"
import type { ChargingCycle } from "./charge-handover.ts"
import { makeCharging } from "./charging.ts"
import { type ChargeFacts, makeLoading } from "./loading.ts"
import { makeMethods } from "./methods.ts"
import { makeTries } from "./tries.ts"
import { makeWaitingPayments } from "./waiting-payments.ts"

/** The outcome of a requested charge. */
export interface ChargeOutcome {
  readonly status: "paid" | "failed" | "pending"
  readonly cycle: BillingCycle
  /** The payment, if one was made. A pending payment says the customer's next step. */
  readonly intent: PaymentIntent | undefined
  readonly decline_code: string | null
}

/** The options of a requested charge. */
export interface ChargeNow {
  /** The payment method, instead of the subscription's own. */
  readonly payment_method_id?: string
  /** Whether the customer is present to take a step, such as 3-D Secure. */
  readonly customer_present: boolean
  /** Whether this charge cancels a payment that waits for its customer's step. The merchant may; a page opened twice may not. */
  readonly ends_waiting?: boolean
}

/** Why no provider was called, or why the outcome is unknown. */
export type ChargeNowFailure = NotFound | InvalidState | ChargeFailure | VersionConflict

export const makeChargingNow = Effect.gen(function*() {
  const charge = yield* makeCharging
  const { cycleOf, factsOf } = yield* makeLoading
  const methods = yield* makeMethods
  const { begin } = yield* makeTries
  const freed = yield* makeWaitingPayments

  const outcomeOf = Effect.fnUntraced(function*(
    { account_id, id }: BillingCycle,
    intent: PaymentIntent | undefined
  ): Effect.fn.Return<ChargeOutcome> {
    const cycle = yield* Effect.orDie(cycleOf(account_id, id))
    const status = cycle.status === "charged" ? "paid" : currentAttempt(cycle) === undefined ? "failed" : "pending"
    return { status, cycle, intent, decline_code: cycle.attempts.at(-1)?.decline_code ?? null }
  })

  const follow = (facts: ChargingCycle) => Effect.flatMap(charge(facts), (intent) => outcomeOf(facts.cycle, intent))

  const beginNow = Effect.fnUntraced(
    function*(
      account: AccountFacts,
      id: string,
      { customer_present, ends_waiting = false, payment_method_id }: ChargeNow,
      key?: KeyWrite
    ): Effect.fn.Return<ChargeFacts, ChargeNowFailure | CommitRefused> {
      const stored = yield* cycleOf(account.id, id)
      if (!allows(billingCycleMachine, stored.status, "succeed")) return yield* notOpen(stored, "charge")
      if (!ends_waiting && currentAttempt(stored) !== undefined) return yield* underWay(stored)
      const { addition, cycle } = yield* freed(stored, "The merchant charged the cycle again: the payment that waited is cancelled")
      const facts = yield* Effect.fromResult(payable(yield* factsOf(cycle)))
      const method = payment_method_id ?? (yield* methods.chargedFor(facts.subscription))
      yield* methods.check(account, facts.subscription.customer_id, method)
      const how = { _tag: "Now", trigger: "request", reason: "It was asked for", payment_method_id: method, customer_present } as const
      return { ...facts, cycle: yield* begin(facts, how, { addition, key }) }
    }
  )

  const lastTry = Effect.fnUntraced(function*(account: string, id: string) {
    const cycle = yield* cycleOf(account, id)
    return currentAttempt(cycle) === undefined ? yield* outcomeOf(cycle, undefined) : yield* follow(yield* factsOf(cycle))
  })

  return { beginNow, charge, follow, lastTry }
})
