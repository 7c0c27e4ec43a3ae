/** What a question says: its words, the ids and codes in it, and the time that it is about. Pure. */
import { DateTime } from "effect"
import type { AmountReading } from "../search/model.ts"

/** Words that tell nothing of what is asked. */
const EMPTY = new Set(
  [
    "a an and any are as at be been by can could did do does for from get had has have how i if in is it its just me my of on or our",
    "please should so some tell that the their them then there these they this to us was we were what when where which who why will",
    "with would you your"
  ].join(" ").split(" ")
)

/** Words that people use for the same thing, the one that stands for all of them first. */
const SAME: ReadonlyArray<ReadonlyArray<string>> = [
  [
    "fail",
    "failed",
    "fails",
    "failing",
    "failure",
    "decline",
    "declined",
    "declines",
    "refused",
    "refuse",
    "rejected",
    "bounce",
    "bounced"
  ],
  ["payment", "payments", "charge", "charges", "charged", "transaction", "transactions", "pay", "purchase"],
  ["money", "funds", "cash", "balance", "balances", "earnings"],
  [
    "available",
    "arrive",
    "arrives",
    "withdraw",
    "settle",
    "settled",
    "settles",
    "settlement",
    "settlements",
    "spendable",
    "clear",
    "clears"
  ],
  ["payout", "payouts", "bank", "transfer", "transfers", "paid-out"],
  ["live", "golive", "onboarding", "production", "launch", "activate", "activated", "onboard"],
  ["missing", "left", "need", "needed", "needs", "still", "remaining", "todo", "steps", "step", "blocking"],
  ["webhook", "webhooks", "notification", "notifications", "endpoint", "delivery", "deliveries", "event", "events"],
  ["fee", "fees", "cost", "costs", "charges-for", "commission"],
  ["volume", "revenue", "sales", "turnover", "earn", "earned", "take", "took", "sell", "sold", "made", "make"],
  ["dispute", "disputes", "chargeback", "chargebacks", "disputed"],
  ["subscription", "subscriptions", "subscriber", "subscribers", "renewal", "renewals", "membership"],
  ["invoice", "invoices", "bill", "bills"],
  ["unpaid", "overdue", "open", "outstanding", "owed", "owe", "owes"],
  ["refund", "refunds", "refunded", "refunding"],
  ["capture", "captures", "captured", "capturing"],
  ["void", "voids", "voided", "voiding"],
  ["cancel", "cancels", "cancelled", "canceled", "cancelling", "canceling"],
  ["approval", "approvals", "approve", "review", "reviews", "waiting", "wait", "waits"],
  ["agent", "agents", "bot", "bots", "robot"],
  ["key", "keys", "token", "tokens", "secret"],
  [
    "mismatch",
    "mismatches",
    "reconcile",
    "reconciliation",
    "difference",
    "differences",
    "discrepancy",
    "discrepancies",
    "agree",
    "disagree"
  ],
  ["error", "errors", "code", "codes"],
  ["mean", "means", "meaning", "explain"],
  ["verify", "verified", "verification", "check", "intact", "tampered", "proof"],
  ["ledger", "books", "chain"],
  ["customer", "customers", "buyer", "buyers", "client", "clients"]
]

const same = new Map(SAME.flatMap(([first = "", ...others]) => others.map((word) => [word, first] as const)))

/** "Cards" is "card"; "business" and "analysis" stay what they are. */
const stem = (word: string): string => word.length > 3 && word.endsWith("s") && !/[sui]s$/u.test(word) ? word.slice(0, -1) : word

/** The words that tell something, each once, words of one meaning as one. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  Array.from(
    new Set(
      Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu), ([word]) => word)
        .filter((word) => !EMPTY.has(word)).map((word) => same.get(word) ?? stem(word))
    )
  )

export interface Span {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
  readonly words: string
}

export interface Question {
  readonly text: string
  /** Whether it asks how something is done or works, and not how something stands. */
  readonly asksHow: boolean
  readonly words: ReadonlyArray<string>
  /** Ids by their prefix: the first of each kind. */
  readonly ids: Readonly<Record<string, string>>
  /** The amount that it names; undefined where it names none. */
  readonly amount: AmountReading | undefined
  /** The time that it names; undefined where it names none. */
  readonly span: Span | undefined
  readonly now: DateTime.Utc
}

const MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]

const monthSpan = (at: DateTime.Utc, words: string): Span => {
  const from = DateTime.startOf(at, "month")
  return { from, to: DateTime.add(from, { months: 1 }), words }
}

const daySpan = (at: DateTime.Utc, words: string): Span => {
  const from = DateTime.startOf(at, "day")
  return { from, to: DateTime.add(from, { days: 1 }), words }
}

/** A named month is the latest one that has begun. */
const namedMonth = (text: string, now: DateTime.Utc): Span | undefined => {
  const at = MONTHS.findIndex((name) => new RegExp(`\\b(?:in|of|for|during) ${name}\\b`, "u").test(text))
  if (at < 0) return undefined
  const { month } = DateTime.toPartsUtc(now)
  const back = (month - 1 - at + 12) % 12
  const then = DateTime.subtract(DateTime.startOf(now, "month"), { months: back })
  return monthSpan(then, `in ${(MONTHS[at] ?? "").replace(/^./u, (letter) => letter.toUpperCase())} ${DateTime.toPartsUtc(then).year}`)
}

const spanIn = (text: string, now: DateTime.Utc): Span | undefined => {
  if (/\blast month\b|\bprevious month\b/u.test(text)) {
    return monthSpan(DateTime.subtract(DateTime.startOf(now, "month"), { days: 1 }), "last month")
  }
  if (/\bthis month\b/u.test(text)) return monthSpan(now, "this month")
  if (/\byesterday\b/u.test(text)) return daySpan(DateTime.subtract(now, { days: 1 }), "yesterday")
  if (/\btoday\b/u.test(text)) return daySpan(now, "today")
  if (/\b(?:last|past) (?:week|7 days|seven days)\b/u.test(text)) {
    return { from: DateTime.subtract(now, { days: 7 }), to: now, words: "in the last seven days" }
  }
  if (/\b(?:last|past) (?:30|thirty) days\b/u.test(text)) {
    return { from: DateTime.subtract(now, { days: 30 }), to: now, words: "in the last thirty days" }
  }
  return namedMonth(text, now)
}

const ID = /\b([a-z]{2,10})_[0-9A-HJKMNP-TV-Z]{26}\b/gu

/** `47.11 EUR`, `$21`, `47.11`. A number alone may be anything. */
const AMOUNT = /(?:\p{Sc}|\b[A-Z]{3}) ?\d[\d.,]{0,20}(?<!\D)|\b\d[\d.,]{0,20}(?: ?\p{Sc}| ?[A-Z]{3}\b)|\b\d{1,15}[.,]\d{2}\b/u

export const questionOf = (text: string, now: DateTime.Utc, amountsIn: (text: string) => ReadonlyArray<AmountReading>): Question => ({
  text,
  amount: amountsIn(AMOUNT.exec(text)?.[0] ?? "")[0],
  asksHow: /^\s*how (?:do|does|is|are|to|can|should|could|would)\b/iu.test(text),
  words: wordsOf(text.replace(ID, "$1_id").replace(AMOUNT, " ")),
  ids: Object.fromEntries(Array.from(text.matchAll(ID), ([id, prefix = ""]) => [prefix, id] as const).toReversed()),
  span: spanIn(text.toLowerCase(), now),
  now
})
