/** The invoice: what a billing cycle asks a customer to pay, line by line, under a number without a gap. */
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOrElse } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { createdBetween } from "@svc/kernel/resource/pages"
import { Currency } from "@svc/kernel/values/currency"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Metadata } from "@svc/payments/payment-intents/model/metadata"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { readVersion } from "../common/versions.ts"
import { Lines, SignedAmount } from "../engine/lines.ts"

export const InvoiceId = idSchema("inv", "InvoiceId")
export type InvoiceId = typeof InvoiceId.Type

export const invoiceStatuses = ["draft", "open", "paid", "void", "uncollectible"] as const
export const InvoiceStatus = Schema.Literals(invoiceStatuses).annotate({ identifier: "InvoiceStatus" })
export type InvoiceStatus = typeof InvoiceStatus.Type

/** The timer of a draft: it is finalized by itself. */
export const FINALIZE = "invoice.finalize"

/** Row and wire in one declaration. */
export const Invoice = resource({
  id: InvoiceId,
  account_id: AccountId,
  /** Given when it is finalized, for example `ACME-000042`. */
  number: Schema.NullOr(Schema.String),
  status: InvoiceStatus,
  customer_id: CustomerReference,
  subscription_id: Schema.NullOr(Schema.String),
  billing_cycle_id: Schema.NullOr(Schema.String),
  currency: Currency,
  period_start: Timestamp,
  period_end: Timestamp,
  due_date: Timestamp,
  /** They sum to the total. Frozen when the invoice is finalized. */
  lines: Lines,
  /** Prices of periods. Minor units, as all that follow. */
  subtotal: SafeAmount,
  /** Prorations, of either sign. */
  adjustment: SignedAmount,
  /** Credit that the customer had, used here. */
  credit_applied: SafeAmount,
  /** Credit that this invoice leaves for the next. */
  credit_carried: SafeAmount,
  total: SafeAmount,
  amount_due: SafeAmount,
  amount_paid: SafeAmount,
  payment_intent_id: Schema.NullOr(Schema.String),
  memo: Schema.NullOr(Schema.String.check(Schema.isMaxLength(500))),
  metadata: Metadata,
  /** The page that the customer sees; whoever has the address may see it. */
  hosted_url: Schema.NullOr(Schema.String),
  pdf_url: Schema.String,
  /** The part of `hosted_url` that cannot be guessed. */
  hosted_token: Model.Sensitive(Schema.String),
  finalized_at: Schema.NullOr(Timestamp),
  sent_at: Schema.NullOr(Timestamp),
  paid_at: Schema.NullOr(Timestamp),
  voided_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Invoice = typeof Invoice.Type

export const invoiceExample = {
  id: exampleId("inv"),
  account_id: exampleId("acct"),
  number: "ACME-000042",
  status: "paid",
  customer_id: "customer-1",
  subscription_id: exampleId("sub"),
  billing_cycle_id: exampleId("billcycle"),
  currency: "USD",
  period_start: EXAMPLE_TIME,
  period_end: "2026-02-01T12:00:00.000Z",
  due_date: EXAMPLE_TIME,
  lines: [{
    kind: "period",
    description: "Pro",
    plan_id: exampleId("plan"),
    amount: 1999,
    currency: "USD",
    proration: false,
    price: 1999,
    from: EXAMPLE_TIME,
    to: "2026-02-01T12:00:00.000Z",
    seconds: 2_678_400,
    period_seconds: 2_678_400
  }],
  subtotal: 1999,
  adjustment: 0,
  credit_applied: 0,
  credit_carried: 0,
  total: 1999,
  amount_due: 0,
  amount_paid: 1999,
  payment_intent_id: exampleId("pi"),
  memo: null,
  metadata: {},
  hosted_url: "https://pay.example.com/invoices/8f14e45fceea167a5a36dedd4bea2543",
  pdf_url: `https://pay.example.com/v1/invoices/${exampleId("inv")}/pdf`,
  finalized_at: EXAMPLE_TIME,
  sent_at: null,
  paid_at: EXAMPLE_TIME,
  voided_at: null,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 2
} as const

export const InvoiceJson = Invoice.json.annotate({
  identifier: "Invoice",
  description: "What a billing cycle asks a customer to pay. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({ examples: [invoiceExample] }))

/** What webhooks tell of an invoice. */
export const invoiceEvents = eventsOf("invoice", ["created", "finalized", "paid", "voided", "uncollectible", "sent"], InvoiceJson)
export type InvoiceEvent = "created" | "finalized" | "paid" | "voided" | "uncollectible" | "sent"

export const invoices = tableOf(Invoice, {
  name: "invoices",
  account: "account_id",
  fixed: ["customer_id", "subscription_id", "billing_cycle_id", "currency", "pdf_url", "hosted_token"]
})

/** What a list may be narrowed to. */
export const invoiceFilters = {
  status: Schema.optionalKey(InvoiceStatus),
  customer_id: Schema.optionalKey(CustomerReference),
  subscription_id: Schema.optionalKey(Schema.String),
  ...createdBetween
}
export type InvoiceFilter = Schema.Struct.Type<typeof invoiceFilters>

// ---------------------------------------------------------------------------------- requests

export const UpdateInvoiceRequest = Schema.Struct({
  memo: Schema.optionalKey(
    Invoice.fields.memo.annotate({ description: "A note to the customer, at the end of the invoice; null for none" })
  ),
  metadata: Schema.optionalKey(Metadata),
  ...readVersion
}).annotate({ identifier: "UpdateInvoiceRequest", examples: [{ memo: "Thank you for your business." }] })
export type UpdateInvoiceRequest = typeof UpdateInvoiceRequest.Type

export const SendInvoiceRequest = Schema.Struct({
  /** Instead of the customer's address. */
  to: Schema.optionalKey(EmailAddress)
}).annotate({ identifier: "SendInvoiceRequest", examples: [{ to: "jo@example.com" }] })
export type SendInvoiceRequest = typeof SendInvoiceRequest.Type

export const PayInvoiceRequest = Schema.Struct({
  payment_method_id: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)).annotate({
      description: "What is charged, instead of the subscription's method"
    })
  ),
  ...keyOrElse("each request charges what is open then")
}).annotate({
  identifier: "PayInvoiceRequest",
  examples: [{ payment_method_id: exampleId("pm"), idempotency_key: "0d1b5a52-1e6c-4b47-9d0e-6a1f7f0c9b31" }]
})
export type PayInvoiceRequest = typeof PayInvoiceRequest.Type
