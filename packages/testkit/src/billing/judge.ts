/** What a history must hold, alone and beside the oracle. */
import type { BillingCycle } from "@svc/billing/billing-cycles/model"
import type { Line } from "@svc/billing/engine/lines"
import type { Invoice } from "@svc/billing/invoices/model"
import type { Dispute } from "@svc/payments/disputes/model"
import type { HistoryQuestion } from "../oracle/histories.ts"
import type { Expected, Played } from "./play.ts"
import { ELSEWHERE } from "./world.ts"

const sum = (amounts: ReadonlyArray<number>): number => amounts.reduce((total, amount) => total + amount, 0)

/** Rounded half up, of the fraction. */
const partOf = ({ period_seconds, price, seconds }: Line): number =>
  price === null ? 0 : Number((2n * BigInt(price) * BigInt(seconds) + BigInt(period_seconds)) / (2n * BigInt(period_seconds)))

const invoiceProblems = (invoice: Invoice): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const total = sum(invoice.lines.map(({ amount }) => amount))
  if (total !== invoice.total) problems.push(`the lines of ${invoice.number} sum to ${total}, its total is ${invoice.total}`)
  for (const line of invoice.lines.filter(({ proration }) => proration)) {
    const part = partOf(line)
    // What is given back is never more than was paid, and nothing where all of it was refunded.
    const givesBack = line.amount < 0 || (line.amount === 0 && (line.kind === "proration_credit" || line.kind === "anchor_change"))
    if (givesBack ? -line.amount <= part : line.amount === part) continue
    problems.push(`a line of ${invoice.number} is ${line.amount} where ${line.price} x ${line.seconds} / ${line.period_seconds} is ${part}`)
  }
  return problems
}

/** Numbers of an account's invoices are 1, 2, 3 … without a gap. */
const gaps = (invoices: ReadonlyArray<Invoice>): ReadonlyArray<string> => {
  const numbers = invoices.flatMap(({ number }) => number === null ? [] : [Number(/\d+$/.exec(number)?.[0])]).toSorted((one, other) =>
    one - other
  )
  return numbers.every((number, index) => number === index + 1) ? [] : [`invoices are numbered ${numbers.join(", ")}`]
}

const cycleProblems = (
  { captured_amount, credit_granted, id, kind, max_retries, period_start, refunded_amount, retries, status, ...cycle }: BillingCycle
): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const effective = Math.max(0, cycle.amount + cycle.proration_adjustment)
  if (captured_amount !== (status === "charged" || status === "refunded" ? effective : 0)) {
    problems.push(`M8: ${id} is ${status}, charges ${effective}, and captured ${captured_amount}`)
  }
  if (retries > max_retries) problems.push(`M8: ${id} was tried ${retries} times of ${max_retries}`)
  // A change that is declined is voided at once, and is no renewal.
  if (kind !== "change" && status === "failed" && retries < max_retries && cycle.next_attempt_at !== null) {
    problems.push(`M8: ${id} failed with a try to come`)
  }
  if (refunded_amount + credit_granted > captured_amount + cycle.credit_applied) {
    problems.push(
      `${id}: ${refunded_amount} refunded and ${credit_granted} granted of ${captured_amount}, from ${period_start.epochMilliseconds}`
    )
  }
  return problems
}

const isLost = ({ status }: Dispute): boolean => status === "lost" || status === "accepted" || status === "expired"

/** What cycles say of their disputes is what the disputes say, but for money that was refunded before. */
const disputedOtherwise = (cycles: ReadonlyArray<BillingCycle>, disputes: ReadonlyArray<Dispute>): ReadonlyArray<string> =>
  cycles.flatMap(({ captured_amount, disputed_amount, id, payment_intent_id, refunded_amount }) => {
    const gone = Math.min(
      captured_amount - refunded_amount,
      sum(disputes.filter((one) => one.payment_intent_id === payment_intent_id && one.status !== "won").map(({ amount }) => amount))
    )
    return [
      ...(gone === disputed_amount ? [] : [`${id} has ${disputed_amount} disputed, its disputes ${gone}`]),
      ...(refunded_amount + disputed_amount <= captured_amount
        ? []
        : [`${id}: ${refunded_amount} refunded and ${disputed_amount} disputed of ${captured_amount}`])
    ]
  })

/** How the invoice of a cycle stands. */
const STANDS = { pending: "open", charged: "paid", refunded: "paid", voided: "void", failed: "uncollectible" } as const

const invoicedOtherwise = (cycles: ReadonlyArray<BillingCycle>, invoices: ReadonlyArray<Invoice>): ReadonlyArray<string> =>
  cycles.flatMap(({ id, status }) => {
    const invoice = invoices.find(({ billing_cycle_id }) => billing_cycle_id === id)
    return invoice?.status === STANDS[status] ? [] : [`${id} is ${status}, its invoice ${invoice?.status}`]
  })

const twice = (cycles: ReadonlyArray<BillingCycle>): ReadonlyArray<string> => {
  const charged = cycles.filter(({ kind, status }) => kind === "period" && (status === "charged" || status === "refunded")).map((
    { period_start }
  ) => period_start.epochMilliseconds)
  return new Set(charged).size === charged.length ? [] : ["M8: a period was charged twice"]
}

/** The subscription names the payment of its latest charge that went through, and none that failed. */
const latestOtherwise = ({ cycles, subscription }: Pick<Played, "cycles" | "subscription">): ReadonlyArray<string> => {
  const paid = cycles.filter(({ payment_intent_id, status }) =>
    payment_intent_id !== null && (status === "charged" || status === "refunded")
  )
  const latest = paid.toSorted((one, other) => (one.charged_at?.epochMilliseconds ?? 0) - (other.charged_at?.epochMilliseconds ?? 0)).at(-1)
    ?.payment_intent_id ?? null
  return latest === subscription.last_payment_intent_id
    ? []
    : [`the latest payment is ${latest}, the subscription names ${subscription.last_payment_intent_id}`]
}

/** What must hold whatever was asked for. */
export const broken = ({ cycles, disputes, invoices, recurring, revenue, subscription, surprises }: Played): ReadonlyArray<string> => {
  const problems = [
    ...surprises,
    ...gaps(invoices),
    ...invoices.flatMap(invoiceProblems),
    ...cycles.flatMap(cycleProblems),
    ...disputedOtherwise(cycles, disputes),
    ...invoicedOtherwise(cycles, invoices),
    ...twice(cycles),
    ...latestOtherwise({ cycles, subscription })
  ]
  if (recurring.sum !== recurring.closing) problems.push(`opening and movements are ${recurring.sum}, closing is ${recurring.closing}`)
  // What was paid elsewhere the ledger does not know.
  const captured = sum(
    cycles.filter(({ payment_intent_id }) => payment_intent_id?.startsWith(ELSEWHERE) !== true).map(({ captured_amount }) =>
      captured_amount
    )
  )
  const gone = sum(cycles.map(({ refunded_amount }) => refunded_amount)) + sum(disputes.filter(isLost).map(({ amount }) => amount))
  if (revenue.volume !== captured || revenue.refunds !== gone) {
    problems.push(`the ledger has ${revenue.volume} less ${revenue.refunds}, the cycles have ${captured} less ${gone}`)
  }
  return problems
}

const named = (plans: ReadonlyMap<string, string>, id: string): string => Array.from(plans).find(([, known]) => known === id)?.[0] ?? id

/** What differs from the oracle, in words; undefined when nothing does. */
export const differs = (
  { cycles, plans, refused, subscription }: Played,
  expected: Expected,
  { operations }: HistoryQuestion
): string | undefined => {
  const wrongly = operations.findIndex((_, index) => refused.includes(index) !== expected.refused.includes(index))
  if (wrongly >= 0) {
    return `operation ${wrongly} (${operations[wrongly]?.do}) is ${
      refused.includes(wrongly) ? "refused" : "carried out"
    }, and the oracle says otherwise`
  }
  const mine = cycles.map((cycle, n) => ({
    kind: cycle.kind,
    plan: named(plans, cycle.plan_id),
    status: cycle.status,
    period_start: cycle.period_start.epochMilliseconds,
    amount: cycle.amount,
    adjustment: cycle.proration_adjustment,
    credit_applied: cycle.credit_applied,
    // A change that is declined did not happen, and no try of it is counted.
    retries: cycle.status === "voided" ? expected.cycles[n]?.retries : cycle.retries,
    captured: cycle.captured_amount,
    refunded: cycle.refunded_amount,
    disputed: cycle.disputed_amount,
    credit_granted: cycle.credit_granted,
    credit_withdrawn: cycle.credit_withdrawn
  }))
  for (let n = 0; n < Math.max(mine.length, expected.cycles.length); n++) {
    const [one, other] = [JSON.stringify(mine[n]), JSON.stringify(expected.cycles[n])]
    if (one !== other) return `cycle ${n} is ${one}, the oracle's ${other}`
  }
  const rest = {
    status: subscription.status,
    plan: named(plans, subscription.plan_id),
    period_end: subscription.status === "paused" || subscription.status === "canceled"
      ? expected.period_end
      : subscription.current_period_end.epochMilliseconds,
    credit_balance: subscription.credit_balance,
    waiting: sum(subscription.lines.map(({ amount }) => amount))
  }
  const wanted = {
    status: expected.status,
    plan: expected.plan,
    period_end: expected.period_end,
    credit_balance: expected.credit_balance,
    waiting: sum(expected.waiting.map(({ amount }) => amount))
  }
  return JSON.stringify(rest) === JSON.stringify(wanted)
    ? undefined
    : `the subscription is ${JSON.stringify(rest)}, the oracle's ${JSON.stringify(wanted)}`
}
