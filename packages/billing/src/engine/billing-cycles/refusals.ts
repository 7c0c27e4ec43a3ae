/** Why a billing cycle is not charged, or a result not recorded of it, and whether a result was recorded before. */
import { InvalidState } from "@svc/kernel/resource/errors"
import { triggersFrom } from "@svc/kernel/resource/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { Result } from "effect"
import { billingCycleMachine } from "../../billing-cycles/machine.ts"
import type { BillingCycle, RecordChargeResultRequest } from "../../billing-cycles/model.ts"
import type { Invoice } from "../../invoices/model.ts"

export const underWay = ({ attempts, status }: BillingCycle) =>
  new PaymentInFlight({
    message: "A charge of this billing cycle is under way. Wait until it is decided, then decide anew.",
    details: { state: status, operation: "charge", payment_intent_id: attempts.at(-1)?.payment_intent_id ?? null, retry_after: 2 }
  })

export const notOpen = ({ status }: BillingCycle, verb: string) => {
  const allowed = triggersFrom(billingCycleMachine, status)
  const why = status === "failed"
    ? "it has failed for good, and all that can follow is that it is paid after all"
    : "only a pending one is open"
  return new InvalidState({ message: `Cannot ${verb} a billing cycle that is ${status}: ${why}.`, details: { state: status, allowed } })
}

export const beingRefunded = ({ id, state }: PaymentIntent) =>
  new PaymentInFlight({
    message: `A refund of the payment ${id} is on its way to the provider. Wait until it is answered, then record what is left.`,
    details: { state, operation: "refund", payment_intent_id: id, retry_after: 2 }
  })

/** Whether a success is recorded of a payment that was recorded as failed when it was the last try. */
export const isContradicted = ({ attempts, status }: BillingCycle, { payment_intent_id, success }: RecordChargeResultRequest): boolean =>
  success && status === "failed" && payment_intent_id !== undefined &&
  attempts.some((attempt) => attempt.outcome === "failed" && attempt.payment_intent_id === payment_intent_id)

export const contradicted = ({ payment_intent_id, status }: BillingCycle) =>
  new InvalidState({
    message: `The payment ${payment_intent_id} failed, so it did not pay this billing cycle. ` +
      "Record the payment that did, under its own payment_intent_id.",
    details: { state: status, allowed: triggersFrom(billingCycleMachine, status) }
  })

/**
 * What is charged or recorded as paid. The invoice of a cycle that has failed for good may be void: then nothing is owed for the cycle.
 */
export const payable = <Owed extends { readonly cycle: BillingCycle; readonly invoice: Invoice | undefined }>(
  owed: Owed
): Result.Result<Owed, InvalidState> =>
  owed.cycle.status === "failed" && owed.invoice?.status === "void"
    ? Result.fail(
      new InvalidState({
        message: "The invoice of this billing cycle is void: nothing is owed for it any more. Record or charge nothing for it.",
        details: { state: owed.cycle.status, allowed: [] }
      })
    )
    : Result.succeed(owed)

/** Whether the result was recorded before. */
export const isRecorded = (
  { attempts, payment_intent_id, status }: BillingCycle,
  { payment_intent_id: reference, success }: RecordChargeResultRequest
): boolean => {
  const recorded = reference ?? null
  const last = attempts.at(-1)
  if (status === "pending") {
    return !success && recorded !== null && last?.trigger === "recorded" && last.outcome === "failed" && last.payment_intent_id === recorded
  }
  return payment_intent_id === recorded && (success ? status === "charged" || status === "refunded" : status === "failed")
}
