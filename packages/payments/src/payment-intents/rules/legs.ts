/**
 * The legs of a payment that was tried on more than one rail: memo entries of the ledger that say which rail was asked for how much, and
 * which was left. They are written with what becomes of the payment, in the order of its attempts. A payment that one rail settles has
 * none.
 */
import type { Entry } from "@svc/kernel/road/decision"
import { post } from "@svc/ledger/financial-events/routes"
import type { PaymentIntent } from "../model.ts"
import { about } from "./decision.ts"

/**
 * What becomes of the payment on the rail that was tried last: it holds the money, it refused, or the payment ends without an answer of it.
 */
export type LastLegOutcome = "approved" | "declined" | "left"

const none: ReadonlyArray<never> = []

const legOf = (intent: PaymentIntent, amount: number, became: LastLegOutcome): ReadonlyArray<Entry> => {
  const on = { ...about(intent), amount }
  switch (became) {
    case "approved":
      return [post("orchestration_leg_credit", on)]
    case "declined":
      return [post("orchestration_leg_debit", on)]
    case "left":
      return [post("orchestration_leg_debit", on), post("orchestration_leg_reversed", on)]
  }
}

/** The legs of the intent, whose attempts are all at their end. */
export const legsOf = (intent: PaymentIntent, last: LastLegOutcome): ReadonlyArray<Entry> => {
  const { attempts } = intent
  if (attempts.length < 2 || attempts.every(({ rail }) => rail === attempts[0]?.rail)) return none
  return attempts.flatMap(({ amount }, n) => legOf(intent, amount, n === attempts.length - 1 ? last : "left"))
}
