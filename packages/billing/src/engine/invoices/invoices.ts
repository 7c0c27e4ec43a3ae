/** Decides how invoices are made and changed. Pure. A decision about a cycle and the one about its invoice are written in one commit. */
import type { Account } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import { DateTime, Equal, Result } from "effect"
import type { BillingCycle } from "../../billing-cycles/model.ts"
import { invoiceMachine, type InvoiceTrigger } from "../../invoices/machine.ts"
import type { Invoice, InvoiceEvent, InvoiceId } from "../../invoices/model.ts"
import type { Line, LineKind } from "../lines.ts"

/** The changed invoice, and its event. */
export interface InvoiceDecision {
  readonly invoice: Invoice
  readonly event: InvoiceEvent
}

/** The facts of a draft besides the cycle and its lines. */
export interface DraftFacts {
  readonly id: InvoiceId
  readonly at: DateTime.Utc
  readonly customer_id: string
  /** The secret part of the address of the customer's page. */
  readonly token: string
  /** The public address of the service. */
  readonly url: string
  readonly metadata?: Readonly<Record<string, string>>
}

const NOTHING = "INV"

/**
 * The prefix of the numbers of an account's invoices: the account's setting, or else the letters and digits of the first word of its name.
 */
export const prefixOf = ({ name, settings }: Pick<Account, "name" | "settings">): string => {
  if (settings.billing.invoice_prefix !== null) return settings.billing.invoice_prefix
  const [word = ""] = name.normalize("NFKD").toUpperCase().split(/\s/u)
  const plain = word.replace(/[^A-Z0-9]/gu, "").slice(0, 12)
  return plain === "" ? NOTHING : plain
}

/** The number of an invoice, such as `ACME-000042`. */
export const numberOf = (prefix: string, number: number): string => `${prefix}-${String(number).padStart(6, "0")}`

const sum = (lines: ReadonlyArray<Line>, is: (kind: LineKind) => boolean): number =>
  lines.reduce((total, { amount, kind }) => is(kind) ? total + amount : total, 0)

const isAdjustment = (kind: LineKind): boolean => kind !== "period" && kind !== "credit_applied" && kind !== "credit_carried"

/** The draft of a cycle's invoice, without a number. The sum of the lines is the charged amount. */
export const draftFor = (
  cycle: BillingCycle,
  lines: ReadonlyArray<Line>,
  { at, customer_id, id, metadata = {}, token, url }: DraftFacts
): InvoiceDecision => {
  const total = sum(lines, () => true)
  return {
    invoice: {
      id,
      account_id: cycle.account_id,
      number: null,
      status: "draft",
      customer_id,
      subscription_id: cycle.subscription_id,
      billing_cycle_id: cycle.id,
      currency: cycle.currency,
      period_start: cycle.period_start,
      period_end: cycle.period_end,
      due_date: cycle.due_date,
      lines,
      subtotal: sum(lines, (kind) => kind === "period"),
      adjustment: sum(lines, isAdjustment),
      credit_applied: -sum(lines, (kind) => kind === "credit_applied"),
      credit_carried: sum(lines, (kind) => kind === "credit_carried"),
      total,
      amount_due: total,
      amount_paid: 0,
      payment_intent_id: null,
      memo: null,
      metadata,
      hosted_url: null,
      pdf_url: `${url}/v1/invoices/${id}/pdf`,
      hosted_token: token,
      finalized_at: null,
      sent_at: null,
      paid_at: null,
      voided_at: null,
      created_at: at,
      updated_at: at,
      version: 1
    },
    event: "created"
  }
}

const NEXT: Readonly<Partial<Record<InvoiceTrigger, string>>> = {
  update: "What was finalized is frozen; void it, or correct the next one.",
  send: "Finalize it first.",
  pay: "Only one that is open or uncollectible is charged."
}

/** The invoice, if its state allows the trigger. */
export const may = (invoice: Invoice, trigger: InvoiceTrigger): Result.Result<Invoice, InvalidState> => {
  if (allows(invoiceMachine, invoice.status, trigger)) return Result.succeed(invoice)
  const allowed = triggersFrom(invoiceMachine, invoice.status)
  const otherwise = allowed.length === 0 ? "This state is final." : `From here: ${allowed.join(", ")}.`
  return Result.fail(
    new InvalidState({
      message: `Cannot ${trigger.replaceAll("_", " ")} an invoice that is ${invoice.status}. ${NEXT[trigger] ?? otherwise}`,
      details: { state: invoice.status, allowed }
    })
  )
}

/** The address of the service, taken from the address of the invoice's PDF. */
const urlOf = ({ id, pdf_url }: Invoice): string => pdf_url.slice(0, -`/v1/invoices/${id}/pdf`.length)

/** Finalizes a draft: it gets its number, its lines cannot change any more, and its page opens for the customer. */
export const finalized = (invoice: Invoice, number: string, at: DateTime.Utc): InvoiceDecision => ({
  invoice: change(invoice, at, {
    status: "open",
    number,
    finalized_at: at,
    hosted_url: `${urlOf(invoice)}/invoices/${invoice.hosted_token}`
  }),
  event: "finalized"
})

/**
 * Marks the invoice as paid. The payment is null if there was nothing to pay, or the merchant took the money outside the service. A
 * recorded payment may be less than the total: the invoice is then paid with this amount, and nothing more is owed.
 */
export const paidBy = (
  invoice: Invoice,
  payment_intent_id: string | null,
  at: DateTime.Utc,
  captured_amount = invoice.total
): InvoiceDecision => ({
  invoice: change(invoice, at, {
    status: "paid",
    amount_paid: Math.min(captured_amount, invoice.total),
    amount_due: 0,
    payment_intent_id,
    paid_at: at
  }),
  event: "paid"
})

export const voided = (invoice: Invoice, at: DateTime.Utc): InvoiceDecision => ({
  invoice: change(invoice, at, { status: "void", amount_due: 0, voided_at: at }),
  event: "voided"
})

/** Writes the invoice off. The amount stays due, and may still be paid. */
export const uncollectible = (invoice: Invoice, at: DateTime.Utc): InvoiceDecision => ({
  invoice: change(invoice, at, { status: "uncollectible" }),
  event: "uncollectible"
})

/** Records that the invoice was sent. */
export const sent = (invoice: Invoice, at: DateTime.Utc): InvoiceDecision => ({
  event: "sent",
  invoice: change(invoice, at, { sent_at: at })
})

/** The fields of a draft that may be changed. */
export type InvoicePatch = Partial<Pick<Invoice, "memo" | "metadata">>

/** The changed draft; undefined if nothing changes. A change of a draft has no event. */
export const edited = (invoice: Invoice, patch: InvoicePatch, at: DateTime.Utc): Invoice | undefined => {
  const next = change<Invoice>(invoice, at, patch)
  return next.memo === invoice.memo && Equal.equals(next.metadata, invoice.metadata) ? undefined : next
}

/** The seconds after which the draft of a live account is finalized automatically. */
const EDITABLE_SECONDS = 3_600

/** When the draft of a live account is finalized automatically. */
export const finalizedBy = ({ created_at }: Invoice): DateTime.Utc => DateTime.add(created_at, { seconds: EDITABLE_SECONDS })
