/** Invoices for the tests of their documents. */
import { AccountId } from "@svc/accounts/accounts/model"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { DateTime } from "effect"
import type { Line } from "../../engine/lines.ts"
import { Invoice, InvoiceId } from "../model.ts"

const at = DateTime.makeUnsafe(EXAMPLE_TIME)
const end = DateTime.makeUnsafe("2026-02-01T12:00:00.000Z")

/** The price of a plan for a month. Minor units. */
export const periodLine = (amount: number, currency: string, description = "Professional"): Line => ({
  kind: "period",
  description,
  plan_id: exampleId("plan"),
  amount,
  currency,
  proration: false,
  price: amount,
  from: at,
  to: end,
  seconds: 2_678_400,
  period_seconds: 2_678_400
})

/** The unused part of a price, given back. */
export const creditLine = (amount: number, currency: string, description = "Unused time of Basic"): Line => ({
  ...periodLine(amount, currency, description),
  kind: "proration_credit",
  proration: true,
  price: 1_000,
  from: DateTime.makeUnsafe("2026-01-17T00:00:00.000Z"),
  seconds: 1_339_200
})

/** An open invoice of these lines. */
export const invoiceOf = (currency: string, lines: ReadonlyArray<Line>, more: Partial<Invoice> = {}): Invoice => {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const subtotal = lines.filter(({ kind }) => kind === "period").reduce((sum, { amount }) => sum + amount, 0)
  return {
    id: InvoiceId.make(exampleId("inv")),
    account_id: AccountId.make(exampleId("acct")),
    number: "ACME-000042",
    status: "open",
    customer_id: "customer-1",
    subscription_id: null,
    billing_cycle_id: null,
    currency,
    period_start: at,
    period_end: end,
    due_date: at,
    lines,
    subtotal,
    adjustment: total - subtotal,
    credit_applied: 0,
    credit_carried: 0,
    total,
    amount_due: total,
    amount_paid: 0,
    payment_intent_id: null,
    memo: null,
    metadata: {},
    hosted_url: null,
    pdf_url: "https://pay.example.com/invoices/1.pdf",
    hosted_token: "0".repeat(32),
    finalized_at: at,
    sent_at: null,
    paid_at: null,
    voided_at: null,
    created_at: at,
    updated_at: at,
    version: 1,
    ...more
  }
}
