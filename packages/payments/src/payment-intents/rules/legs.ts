/**
 * The legs of a payment that was attempted on several rails: memo entries of the ledger with the amount for each rail, and the rails that
 * were left. The commit of the payment's result writes the legs in the order of the attempts. A payment with one attempt has none.
 */
import type { Entry } from "@svc/kernel/road/decision"
import { post } from "@svc/ledger/financial-events/routes"
import type { PaymentIntent } from "../model.ts"
import { about } from "./decision.ts"

/** The result on the last rail: the rail approved, the rail declined, or the payment ended without an answer of the rail. */
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

/** The legs of an intent whose attempts have all ended. */
export const legsOf = (intent: PaymentIntent, last: LastLegOutcome): ReadonlyArray<Entry> => {
  const { attempts } = intent
  if (attempts.length < 2 || attempts.every(({ rail }) => rail === attempts[0]?.rail)) return none
  return attempts.flatMap(({ amount }, n) => legOf(intent, amount, n === attempts.length - 1 ? last : "left"))
}
