/** The refusals of disputes. */
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import { Result } from "effect"
import { PaymentInFlight } from "../../payment-intents/errors.ts"
import type { PaymentIntent } from "../../payment-intents/model.ts"
import { disputeMachine, type DisputeTrigger } from "../machine.ts"
import type { Dispute } from "../model.ts"

/** The refusal of a verb that the dispute's state does not allow. */
export const refuse = ({ status }: Dispute, trigger: DisputeTrigger, why?: string): InvalidState => {
  const allowed = triggersFrom(disputeMachine, status)
  return new InvalidState({
    message:
      `Cannot ${trigger === "add_evidence" ? "add evidence to" : trigger} a dispute that is ${status.replace("_", " ")}${
        why === undefined ? "" : `: ${why}`
      }. ` +
      (status === "under_review"
        ? "Its network decides now."
        : allowed.length === 0
        ? "This state is final."
        : `From here: ${allowed.join(", ")}.`),
    details: { state: status, allowed }
  })
}

/** The dispute, if its state allows the verb. */
export const may = (dispute: Dispute, trigger: DisputeTrigger): Result.Result<Dispute, InvalidState> =>
  allows(disputeMachine, dispute.status, trigger) ? Result.succeed(dispute) : Result.fail(refuse(dispute, trigger))

/** The refusal of a verb on a payment whose money a dispute holds. */
export const disputeUndecided = ({ id, status }: Dispute, verb: "dispute" | "refund"): InvalidState =>
  new InvalidState({
    message: `Cannot ${verb} a payment whose dispute ${id} is ${status.replace("_", " ")}: its money is held until that is decided. ` +
      "Accept the dispute to let the customer have it.",
    details: { state: status, allowed: [], dispute_id: id }
  })

/** The refusal of a dispute while the provider has yet to answer a refund of the payment. */
export const beingRefunded = ({ state }: PaymentIntent): PaymentInFlight =>
  new PaymentInFlight({
    message: "A refund of this payment is on its way to the provider. Wait until it is answered, then report the dispute again.",
    details: { state, operation: "refund", retry_after: 2 }
  })

/** The refusal of a dispute about more than the `remaining` minor units that can be disputed. */
export const tooMuch = (amount: number, remaining: number): ValidationError => {
  const message = remaining === 0
    ? "amount: nothing of this payment is left to dispute: it was not captured, or all of it is disputed already."
    : `amount: ${amount} is more than the ${remaining} of this payment that was captured and is not disputed.`
  return new ValidationError({ code: "amount", message, details: { remaining } })
}

/** The refusal of evidence without a field. */
export const nothingSent = (): ValidationError =>
  new ValidationError({
    code: "evidence",
    message: "evidence: there is none. Send at least one field of evidence, for example shipping_documentation."
  })
