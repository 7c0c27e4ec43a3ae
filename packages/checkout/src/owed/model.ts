/** What is owed for a billing cycle: whether it can be paid here, what came of trying, and why not. Pure. */
import { billingCycleMachine } from "@svc/billing/billing-cycles/machine"
import { type BillingCycle, effectiveCharge } from "@svc/billing/billing-cycles/model"
import type { Invoice } from "@svc/billing/invoices/model"
import { allows } from "@svc/kernel/state-machine"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { type DeclineCode, declineCodes } from "@svc/payments/rails/model"
import { isolated, money } from "../i18n/format.ts"
import type { Tongue } from "../i18n/locale.ts"
import { messagesOf } from "../i18n/messages.ts"

/** A cycle that was to be paid, and its invoice, where it has one. */
export interface Owed {
  readonly cycle: BillingCycle
  readonly invoice: Invoice | undefined
  /** The payment that is under way for it. */
  readonly intent: PaymentIntent | undefined
}

/** Whether a payment can still be made for it: while its cycle is open, and when that has failed for good. */
export const isPayable = ({ amount_due, status }: Pick<Invoice, "amount_due" | "status">, cycle: Pick<BillingCycle, "status"> | undefined): boolean =>
  (status === "open" || status === "uncollectible") && amount_due > 0 && cycle !== undefined && allows(billingCycleMachine, cycle.status, "succeed")

export type Came = "paid" | "failed" | "pending"

/** What came of the last try. The cycle tells. */
export const cameTo = ({ cycle: { attempts, status } }: Pick<Owed, "cycle">): Came =>
  status === "charged" || status === "refunded" ? "paid" : attempts.at(-1)?.outcome === "started" ? "pending" : "failed"

/** The number of the try that a page offers. A page that is old offers one that was made. */
export const nextTry = ({ cycle: { attempts } }: Pick<Owed, "cycle">): number => (attempts.at(-1)?.number ?? 0) + 1

/** Minor units that are still to be paid. */
export const owedAmount = ({ cycle, invoice }: Owed): number => invoice?.amount_due ?? effectiveCharge(cycle)

export const owedText = (tongue: Tongue, owed: Owed): string => isolated(money(tongue, owedAmount(owed), owed.cycle.currency))

/** One sum of each currency. */
const summed = ({ tag }: Tongue, all: ReadonlyArray<readonly [currency: string, amount: number]>): string => {
  const sums = Array.from(Map.groupBy(all, ([currency]) => currency), ([currency, each]) =>
    isolated(money({ tag }, each.reduce((sum, [, amount]) => sum + BigInt(amount), 0n), currency)))
  return new Intl.ListFormat(tag).format(sums)
}

/** What all of it comes to. */
export const sumText = (tongue: Tongue, all: ReadonlyArray<Owed>): string => summed(tongue, all.map((one) => [one.cycle.currency, owedAmount(one)]))

export const sumPaidText = (tongue: Tongue, all: ReadonlyArray<Owed>): string => summed(tongue, all.map((one) => [one.cycle.currency, paidAmount(one)]))

const paidAmount = ({ cycle, invoice }: Owed): number => invoice?.amount_paid ?? cycle.captured_amount

export const paidText = (tongue: Tongue, owed: Owed): string => isolated(money(tongue, paidAmount(owed), owed.cycle.currency))

export const isDeclineCode = (text: string): text is DeclineCode => declineCodes.some((code) => code === text)

/** Why the last try came to nothing, in plain words; undefined where nobody said. */
export const whyNot = (tongue: Tongue, { cycle }: Pick<Owed, "cycle">): string | undefined => {
  const code = cycle.attempts.at(-1)?.decline_code ?? ""
  return isDeclineCode(code) ? messagesOf(tongue).declines[code] : undefined
}
