/** The payment of a billing cycle: whether it can be made on a page, the outcome of the last attempt, and the amounts. Pure. */
import { billingCycleMachine } from "@svc/billing/billing-cycles/machine"
import { type BillingCycle, effectiveCharge } from "@svc/billing/billing-cycles/model"
import type { Invoice } from "@svc/billing/invoices/model"
import { allows } from "@svc/kernel/resource/state-machine"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { type DeclineCode, declineCodes } from "@svc/payments/rails/model"

/** A cycle that was to be paid, and its invoice, where it has one. */
export interface CyclePayment {
  readonly cycle: BillingCycle
  readonly invoice: Invoice | undefined
  /** The payment that is under way for the cycle. */
  readonly intent: Pick<PaymentIntent, "next_action"> | undefined
}

/** Whether a payment of the invoice can still be made: while its cycle is open, and after the cycle has failed for good. */
export const isPayable = (
  { amount_due, status }: Pick<Invoice, "amount_due" | "status">,
  cycle: Pick<BillingCycle, "status"> | undefined
): boolean =>
  (status === "open" || status === "uncollectible") && amount_due > 0 && cycle !== undefined &&
  allows(billingCycleMachine, cycle.status, "succeed")

export type CyclePaymentOutcome = "paid" | "failed" | "pending"

/** The outcome of the last attempt, as the cycle knows it. */
export const outcomeOf = ({ cycle: { attempts, status } }: Pick<CyclePayment, "cycle">): CyclePaymentOutcome =>
  status === "charged" || status === "refunded" ? "paid" : attempts.at(-1)?.outcome === "started" ? "pending" : "failed"

/** The number of the attempt that a page offers. An old page offers an attempt that was made already. */
export const nextAttempt = ({ cycle: { attempts } }: Pick<CyclePayment, "cycle">): number => (attempts.at(-1)?.number ?? 0) + 1

/** Minor units that are still to be paid. */
export const amountDue = ({ cycle, invoice }: CyclePayment): number => invoice?.amount_due ?? effectiveCharge(cycle)

/** Minor units that were paid. */
export const amountPaid = ({ cycle, invoice }: CyclePayment): number => invoice?.amount_paid ?? cycle.captured_amount

export const isDeclineCode = (text: string): text is DeclineCode => declineCodes.some((code) => code === text)
