/** The verbs that the timers of payment intents call, and the verb that an approved second look calls. */
import { Effect } from "effect"
import type { Act } from "../second-looks/model.ts"
import { ASK, EXPIRES } from "./model.ts"
import { refundOptionsOf } from "./model/refunds.ts"
import { PaymentIntents } from "./service.ts"

/** The timers of payment intents, by kind. */
export const paymentIntentJobs = Effect.map(
  PaymentIntents,
  (intents) => new Map([[ASK, intents.askProvider], [EXPIRES, intents.expire]] as const)
)

/** Carries out refunds that a second person approved. */
export const approvedRefunds = Effect.map(PaymentIntents, ({ refund }): ReadonlyArray<Act> => [{
  name: "refund",
  scope: "payment_intents:write",
  carryOut: (look, work) => refund({ ...work, id: look.subject_id, payload: { amount: look.amount, ...refundOptionsOf(look) } })
}])
