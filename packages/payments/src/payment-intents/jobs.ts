/** Which verb a timer of a payment intent calls when it is due, and which a second look. */
import { Effect } from "effect"
import type { Act } from "../second-looks/model.ts"
import { ASK, EXPIRES } from "./model.ts"
import { refundOptionsOf } from "./model/refunds.ts"
import { PaymentIntents } from "./service.ts"

/** The timers of payment intents, by kind. */
export const paymentIntentJobs = Effect.map(
  PaymentIntents,
  (intents) => new Map([[ASK, intents.askProvider], [EXPIRES, intents.endOfTime]] as const)
)

/** Refunds that a second person let pass. */
export const approvedRefunds = Effect.map(PaymentIntents, ({ refund }): ReadonlyArray<Act> => [{
  name: "refund",
  scope: "payment_intents:write",
  carryOut: (look, work) => refund({ ...work, id: look.subject_id, payload: { amount: look.amount, ...refundOptionsOf(look) } })
}])
