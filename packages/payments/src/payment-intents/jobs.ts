/** Which verb a timer of a payment intent calls when it is due. */
import { Effect } from "effect"
import { ASK, EXPIRES } from "./model.ts"
import { PaymentIntents } from "./service.ts"

/** The timers of payment intents, by kind. */
export const paymentIntentJobs = Effect.map(PaymentIntents, (intents) =>
  new Map([[ASK, intents.askProvider], [EXPIRES, intents.endOfTime]] as const))
