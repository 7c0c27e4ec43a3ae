/** What an invoice says to its customer: the same words and numbers in the PDF, on the page and in the email. Pure. */
import { money } from "@svc/design/format"
import type { TimeZone } from "@svc/kernel/values/time-zone"
import type { DateTime } from "effect"
import type { Line } from "../../engine/lines.ts"
import type { Invoice } from "../model.ts"
import { type Labels, labelsFor } from "./labels.ts"

/** The merchant, who asks for the money. */
export interface Seller {
  readonly name: string
  /** `#rrggbb`; null for the plain look. */
  readonly color: string | null
  /** Whether no money moves. */
  readonly sandbox?: boolean
}

/** The customer, who is asked for the money. Unknown details are null. */
export interface Buyer {
  readonly name: string | null
  readonly email: string | null
  /** A language tag of BCP 47. */
  readonly locale: string | null
  /** In which the customer reads dates. */
  readonly time_zone: TimeZone
}

export interface Row {
  readonly description: string
  /** Why, in one line each; none of what is plain. */
  readonly why: ReadonlyArray<string>
  readonly amount: string
}

export interface Sum {
  readonly label: string
  readonly amount: string
  readonly strong: boolean
}

export interface InvoiceView {
  readonly language: string
  readonly rightToLeft: boolean
  /** Where people print on other paper than the rest of the world. */
  readonly paper: "A4" | "LETTER"
  readonly labels: Labels
  readonly title: string
  readonly seller: Seller
  readonly status: string
  /** Says that no money moves; null where money does. */
  readonly testMode: string | null
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>
  /** Name and address. What the merchant calls the customer is of no use to others, so it is not there. */
  readonly buyer: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  readonly sums: ReadonlyArray<Sum>
  readonly total: string
  readonly due: string
  readonly memo: string | null
  /** The moment that the document bears, in milliseconds since 1970: the same invoice makes the same bytes. */
  readonly at: number
}

/** What a document is made of: plain data, which goes from one thread to another. The words of its language are found by that. */
export type PrintedView = Omit<InvoiceView, "labels">

/** Currencies of countries whose paper is Letter. */
const LETTER: ReadonlySet<string> = new Set(["USD", "CAD", "MXN"])

/** An amount of minor units as the people of the locale write it. */
export const moneyIn = (locale: string, currency: string): (amount: number) => string => (amount) =>
  money({ tag: locale }, amount, currency)

interface Spoken {
  readonly labels: Labels
  readonly money: (amount: number) => string
  readonly day: (at: DateTime.Utc) => string
  readonly moment: (at: DateTime.Utc) => string
  readonly whole: (value: number) => string
}

const rowOf = (
  { amount, description, from, kind, period_seconds, price, proration, seconds, to }: Line,
  { day, labels, moment, money, whole }: Spoken
): Row => ({
  description,
  why: kind === "period"
    ? [`${day(from)} – ${day(to)}`]
    : proration && price !== null
    ? [labels.why({ from: moment(from), to: moment(to), seconds: whole(seconds), of: whole(period_seconds), price: money(price) })]
    : [],
  amount: money(amount)
})

const sumsOf = (invoice: Invoice, { labels, money }: Spoken): ReadonlyArray<Sum> => {
  const all: ReadonlyArray<readonly [label: string, amount: number, shown: boolean, strong?: boolean]> = [
    [labels.subtotal, invoice.subtotal, true],
    [labels.adjustment, invoice.adjustment, invoice.adjustment !== 0],
    [labels.credit, -invoice.credit_applied, invoice.credit_applied !== 0],
    [labels.carried, invoice.credit_carried, invoice.credit_carried !== 0],
    [labels.total, invoice.total, true, true],
    [labels.paid, invoice.amount_paid, true],
    [labels.amountDue, invoice.amount_due, true, true]
  ]
  return all.filter(([, , shown]) => shown).map(([label, amount, , strong = false]) => ({ label, amount: money(amount), strong }))
}

/**
 * The invoice in the language of its customer, as far as there are words for it. Dates are of the customer's time zone, and times name it.
 * `reader` is the language of who looks at the invoice, for a customer whose language nobody knows.
 */
export const viewOf = (invoice: Invoice, seller: Seller, buyer: Buyer, reader = "en"): InvoiceView => {
  const wanted = buyer.locale ?? reader
  const { labels, language } = labelsFor(wanted)
  const locale = wanted.startsWith(language) ? wanted : language
  const timeZone = buyer.time_zone
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone })
  const moments = new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZone,
    timeZoneName: "short"
  })
  const numbers = new Intl.NumberFormat(locale)
  const spoken: Spoken = {
    labels,
    money: moneyIn(locale, invoice.currency),
    day: (at) => dates.format(at.epochMilliseconds),
    moment: (at) => moments.format(at.epochMilliseconds),
    whole: (value) => numbers.format(value)
  }
  const { day } = spoken
  const at = invoice.finalized_at ?? invoice.created_at
  const fact = (label: string, value: string | null) => value === null ? [] : [[label, value] as const]
  return {
    language,
    rightToLeft: language === "ar",
    paper: LETTER.has(invoice.currency) ? "LETTER" : "A4",
    labels,
    title: invoice.number === null ? `${labels.invoice}, ${labels.status.draft}` : `${labels.invoice} ${invoice.number}`,
    seller,
    status: labels.status[invoice.status],
    testMode: seller.sandbox === true ? labels.testMode : null,
    facts: [
      ...fact(labels.number, invoice.number),
      ...fact(labels.issued, day(at)),
      ...fact(labels.due, day(invoice.due_date)),
      ...fact(labels.period, `${day(invoice.period_start)} – ${day(invoice.period_end)}`),
      ...fact(labels.paidOn, invoice.paid_at === null ? null : day(invoice.paid_at))
    ],
    buyer: [buyer.name, buyer.email].filter((line) => line !== null),
    rows: invoice.lines.map((line) => rowOf(line, spoken)),
    sums: sumsOf(invoice, spoken),
    total: spoken.money(invoice.total),
    due: spoken.money(invoice.amount_due),
    memo: invoice.memo,
    at: at.epochMilliseconds
  }
}
