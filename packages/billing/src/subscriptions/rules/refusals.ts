/** What the table of moves forbids, and what is wrong with a request, in words. */
import { InvalidState, ValidationError } from "@svc/kernel/errors"
import { allows, triggersFrom } from "@svc/kernel/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Result } from "effect"
import { inFlight as underWay } from "../../billing-cycles/rules/attempts.ts"
import { subscriptionMachine } from "../machine.ts"
import type { SubscriptionTrigger } from "../machine.ts"
import type { Subscription } from "../model.ts"
import type { Standing } from "./standing.ts"
import { periodCycle } from "./worth.ts"

export type Refusal = InvalidState | ValidationError | PaymentInFlight

const said: Readonly<Partial<Record<SubscriptionTrigger, string>>> = {
  cancel_at_end: "cancel",
  change_plan: "change the plan of",
  change_anchor: "move the billing date of"
}

/** Lines that may wait: a row is read and written whole. */
export const MOST_LINES = 100

export const refuse = ({ status }: Subscription, trigger: SubscriptionTrigger, why?: string): InvalidState => {
  const allowed = triggersFrom(subscriptionMachine, status)
  return new InvalidState({
    message: `Cannot ${said[trigger] ?? trigger} a subscription that is ${status}${why === undefined ? "" : `: ${why}`}. ` +
      (allowed.length === 0 ? "This state is final; make another subscription." : `From here: ${allowed.join(", ")}.`),
    details: { state: status, allowed }
  })
}

/** Whether the table allows the verb now. */
export const may = (subscription: Subscription, trigger: SubscriptionTrigger): Result.Result<void, InvalidState> =>
  allows(subscriptionMachine, subscription.status, trigger) ? Result.void : Result.fail(refuse(subscription, trigger))

export const invalid = (code: string, why: string, details?: Readonly<Record<string, unknown>>): ValidationError =>
  new ValidationError({ code, message: `${code}: ${why}`, ...(details === undefined ? {} : { details }) })

/** The refusal while a charge or a refund is under way on which the amounts depend. */
export const inFlight = (subscription: Subscription, what: string): PaymentInFlight =>
  new PaymentInFlight({
    message: `${what} is under way, and the amounts of this change depend on it. Read the subscription again in a few seconds.`,
    details: { state: subscription.status, retry_after: 2 }
  })

/**
 * While a charge is on its way to the provider nobody knows which payment it becomes, and giving its cycle up would leave that payment behind. Once
 * the provider has taken it up it is known, and what becomes of it is told.
 */
export const notOnItsWay = ({ cycles, subscription }: Pick<Standing, "cycles" | "subscription">): Result.Result<void, PaymentInFlight> =>
  cycles.some((cycle) => cycle.status === "pending" && underWay(cycle)?.payment_intent_id === null) ? Result.fail(inFlight(subscription, "A charge")) : Result.void

/** Amounts are prorated only of a period whose own charge is decided, and while no other change waits for its charge. */
export const settled = (standing: Standing): Result.Result<void, PaymentInFlight> => {
  const { subscription } = standing
  if (subscription.pending_change?.billing_cycle_id != null) return Result.fail(inFlight(subscription, "The charge for another change of plan"))
  return periodCycle(standing)?.status === "pending" ? Result.fail(inFlight(subscription, "The charge for the present period")) : Result.void
}
