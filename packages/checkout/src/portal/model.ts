/** The contents of the portal's pages: subscriptions, invoices and payment methods, each with its details. */
import type { Invoice } from "@svc/billing/invoices/model"
import type { Plan } from "@svc/billing/plans/model"
import type { Subscription } from "@svc/billing/subscriptions/model"
import type { PlanChangePreview } from "@svc/billing/subscriptions/model/changes"
import type { PaymentMethod } from "@svc/payments/payment-methods/model"
import type { CyclePayment } from "../cycle-payments/model.ts"

/** The shown fields of a payment method: of a stored method, or of the card of a test token. */
export type MethodFacts = Pick<PaymentMethod, "type" | "brand" | "last4" | "exp_month" | "exp_year">

/** The verbs of a customer on a subscription. */
export const verbs = ["change_plan", "cancel", "uncancel", "pause", "resume"] as const
export type Verb = (typeof verbs)[number]

/** A subscription with the details that its card shows. */
export interface SubscriptionDetails {
  readonly subscription: Subscription
  readonly plan: Plan
  /** The plan of a pending change. */
  readonly pending: Plan | undefined
  readonly method: MethodFacts | undefined
  /** The overdue payment of a subscription that is past due. */
  readonly overdue: CyclePayment | undefined
  readonly offered: ReadonlyArray<Verb>
}

/** A payment with its plan: customers know a subscription by its plan. */
export interface PlanPayment extends CyclePayment {
  readonly plan: Plan
}

/** An invoice, with the time zone of its dates. */
export interface InvoiceDetails {
  readonly invoice: Invoice
  readonly time_zone: string
  /** Whether the invoice can be paid in the portal. */
  readonly isPayable: boolean
}

export interface MethodDetails {
  readonly method: MethodFacts
  /** Whether this is the customer's default method. */
  readonly isDefault: boolean
  readonly isExpired: boolean
}

/** A change of plan before it is confirmed. */
export interface PlanChangeDetails extends SubscriptionDetails {
  readonly to: Plan
  readonly preview: PlanChangePreview
}
