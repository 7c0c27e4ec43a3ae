/** What an account with many payments has besides, and texts that people look for in it. */
import { accountId } from "../merchants.ts"

const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`

/** Rows of the first merchant, one a number: each column and its SQL. */
const rows = (table: string, numbers: string, columns: Readonly<Record<string, string>>): string => {
  const at = "'2026-01-01'::timestamptz + n * interval '1 second'"
  const all = { account_id: `'${accountId(0)}'`, metadata: "'{}'", created_at: at, updated_at: at, version: "1", ...columns }
  return `INSERT INTO ${table} (${Object.keys(all).join(", ")}) SELECT ${Object.values(all).join(", ")} FROM ${numbers}`
}

/** Customers, cards, orders, checkouts and invoices, each a tenth of the payments, and those of the newest payments. */
export const besides = (payments: number): ReadonlyArray<string> => {
  const numbers = `generate_series(${payments - payments / 10 + 1}, ${payments}) n`
  const [customer_id, email] = ["'cus_' || n", "'customer-' || n || '@example.com'"]
  const paid = { customer_id, amount: "100 + n % 100000", currency: "'USD'", line_items: "'[]'", payment_intent_id: id("pi") }
  return [
    rows("customers", numbers, { id: id("cus"), customer_id, name: "'Customer ' || n", email }),
    rows("payment_methods", numbers, {
      id: id("pm"),
      customer_id,
      type: "'card'",
      status: "'active'",
      brand: "'visa'",
      last4: "lpad((n % 5000)::text, 4, '0')",
      fingerprint: "n::text",
      token: "'tok_' || n"
    }),
    rows("orders", numbers, { id: id("ord"), status: "'paid'", checkout_session_id: id("cs"), paid_at: "now()", ...paid }),
    rows("checkout_sessions", numbers, {
      id: id("cs"),
      url: "''",
      mode: "'payment'",
      status: "'complete'",
      payment_status: "'paid'",
      customer_email: email,
      expires_at: "now()",
      completed_at: "now()",
      tries: "0",
      ...paid
    }),
    rows("invoices", numbers, {
      id: id("inv"),
      number: "'ACME-' || lpad(n::text, 8, '0')",
      status: "'open'",
      customer_id,
      currency: "'USD'",
      period_start: "now()",
      period_end: "now()",
      due_date: "now()",
      finalized_at: "now()",
      lines: "'[]'",
      subtotal: "2000",
      adjustment: "0",
      credit_applied: "0",
      credit_carried: "0",
      total: "2000",
      amount_due: "2000",
      amount_paid: "0",
      pdf_url: "''",
      hosted_token: "n::text"
    }),
    "VACUUM ANALYZE customers, payment_methods, orders, checkout_sessions, invoices"
  ]
}

/** A text of each kind. The ids of these payments are of 1970. */
export const searches = (payments: number): Readonly<Record<string, string>> => ({
  "an id": `pi_${String(payments / 2).padStart(26, "0")}`,
  "the beginning of ids": "pi_000000000000",
  "an e-mail address": `customer-${payments - 7}@example.com`,
  "a customer's reference": "cus_17",
  "a name that nobody has": "Nora Nobody",
  "an order's number": `ord-${payments / 2}`,
  "an invoice's number": `ACME-${String(payments - 7).padStart(8, "0")}`,
  "a provider's reference": `sim_${String(payments / 2).padStart(24, "0")}`,
  "last four digits": "•4242",
  "four digits": "1250",
  "an amount": "$12.50",
  "an amount that nothing has": "JPY 1250",
  "a day": "1970-01-01",
  "a month": "January 1970",
  "a text that nothing has": "no such thing"
})
