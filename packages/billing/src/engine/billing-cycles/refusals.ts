/** The refusals of charging a billing cycle and of recording its result, and whether a result was recorded before. */
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { triggersFrom } from "@svc/kernel/resource/state-machine"
import { iso } from "@svc/kernel/values/time"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { type PaymentIntent, PaymentIntentId } from "@svc/payments/payment-intents/model"
import { Result, Schema } from "effect"
import { billingCycleMachine } from "../../billing-cycles/machine.ts"
import type { BillingCycle, RecordChargeResultRequest } from "../../billing-cycles/model.ts"
import type { Invoice } from "../../invoices/model.ts"
import { endsBy } from "./attempts.ts"

/** The refusal while a charge is in progress at the provider, or waits for the decision of a rail. */
export const underWay = ({ attempts, status }: BillingCycle) => {
  const attempt = attempts.at(-1)
  const payment_intent_id = attempt?.payment_intent_id ?? null
  const details = { state: status, operation: "charge", payment_intent_id, retry_after: 2 }
  if (attempt === undefined || payment_intent_id === null) {
    return new PaymentInFlight({
      message: "A charge of this billing cycle is on its way to the provider. Send the request again in a few seconds.",
      details
    })
  }
  const ends_at = iso(endsBy(attempt))
  return new PaymentInFlight({
    message: `A charge of this billing cycle is under way: its payment ${payment_intent_id} is not decided. ` +
      `It ends by itself at ${ends_at} at the latest. Wait until it is decided, then decide anew.`,
    details: { ...details, ends_at }
  })
}

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

/** The result that a request records. */
export interface RecordedResult {
  readonly success: boolean
  /** A payment of this account, or the merchant's own reference of a payment outside the service; null if the request names neither. */
  readonly reference: string | null
}

const isPayment = Schema.is(PaymentIntentId)

const refused = (message: string) =>
  Result.fail(new ValidationError({ code: "external_reference", message: `external_reference: ${message}` }))

/** Reads the result of a request. Fails with code `external_reference` if that reference names a payment of this service. */
export const resultOf = (
  { external_reference, payment_intent_id, success }: RecordChargeResultRequest
): Result.Result<RecordedResult, ValidationError> => {
  if (external_reference === undefined) return Result.succeed({ success, reference: payment_intent_id ?? null })
  if (payment_intent_id !== undefined) return refused("there is a payment_intent_id, too. Send the one that took the money.")
  if (isPayment(external_reference)) return refused("this is a payment of this service. Send it as payment_intent_id.")
  return Result.succeed({ success, reference: external_reference })
}

/** Whether a success is recorded of a payment that was recorded as failed when it was the last try. */
export const isContradicted = ({ attempts, status }: BillingCycle, { reference, success }: RecordedResult): boolean =>
  success && status === "failed" && reference !== null &&
  attempts.some((attempt) => attempt.outcome === "failed" && attempt.payment_intent_id === reference)

export const contradicted = ({ payment_intent_id, status }: BillingCycle) =>
  new InvalidState({
    message: `The payment ${payment_intent_id} failed, so it did not pay this billing cycle. ` +
      "Record the payment that did, under its own payment_intent_id or external_reference.",
    details: { state: status, allowed: triggersFrom(billingCycleMachine, status) }
  })

/**
 * The cycle, if it can be charged or recorded as paid. If the invoice of a cycle that has failed for good is void, nothing is owed.
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
  { reference, success }: RecordedResult
): boolean => {
  const last = attempts.at(-1)
  if (status === "pending") {
    const isFailure = last?.trigger === "recorded" && last.outcome === "failed"
    return !success && reference !== null && isFailure && last.payment_intent_id === reference
  }
  return payment_intent_id === reference && (success ? status === "charged" || status === "refunded" : status === "failed")
}
