/** The refusals of verbs that the state of a payment does not allow. */
import { InvalidState } from "@svc/kernel/resource/errors"
import type { ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import { Result } from "effect"
import { PaymentInFlight } from "../errors.ts"
import { paymentIntentMachine } from "../machine.ts"
import type { PaymentIntentTrigger } from "../machine.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"

export type IntentRefusal = InvalidState | PaymentInFlight | ValidationError

export const refuse = (intent: PaymentIntent, trigger: PaymentIntentTrigger, why?: string): InvalidState => {
  const allowed = triggersFrom(paymentIntentMachine, intent.state)
  return new InvalidState({
    message: `Cannot ${trigger} a payment intent that is ${intent.state}${why === undefined ? "" : `: ${why}`}. ` +
      (allowed.length === 0 ? "This state is final." : `From here: ${allowed.join(", ")}.`),
    details: { state: intent.state, allowed }
  })
}

/** The refusal while the provider has yet to answer an earlier call. */
export const stillOpen = (intent: PaymentIntent, call: OpenCall): PaymentInFlight =>
  new PaymentInFlight({
    message: `A ${call.operation} of this payment is under way at the provider. Read the intent again in a few seconds.`,
    details: { state: intent.state, operation: call.operation, retry_after: 2 }
  })

/** Fails unless the intent's state allows the verb. */
export const may = (intent: PaymentIntent, trigger: PaymentIntentTrigger): Result.Result<void, IntentRefusal> => {
  if (!allows(paymentIntentMachine, intent.state, trigger)) return Result.fail(refuse(intent, trigger))
  const call = intent.open_call
  return call !== null && (intent.state !== "pending" || call.request !== null) ? Result.fail(stillOpen(intent, call)) : Result.void
}
