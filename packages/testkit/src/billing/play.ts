/** Plays a history and says what came of it, beside what the oracle expects. */
import type { BillingCycle } from "@svc/billing/billing-cycles/model"
import type { Invoice } from "@svc/billing/invoices/model"
import { InvoiceRepository } from "@svc/billing/invoices/repository"
import { MetricsReports } from "@svc/billing/metrics/service"
import type { Subscription } from "@svc/billing/subscriptions/model"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import type { Dispute } from "@svc/payments/disputes/model"
import { Disputes } from "@svc/payments/disputes/service"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import type { HistoryQuestion } from "../oracle/histories.ts"
import { type Cards, cyclesOf, open, operate, pass } from "./world.ts"

const Line = Schema.Struct({ kind: Schema.String, amount: Schema.Int })

/** The oracle's answer, as far as it is compared. */
export const Expected = fromJsonText(Schema.Struct({
  status: Schema.String,
  plan: Schema.String,
  period_end: Schema.Int,
  credit_balance: Schema.Int,
  waiting: Schema.Array(Line),
  refused: Schema.Array(Schema.Int),
  cycles: Schema.Array(Schema.Struct({
    kind: Schema.String,
    plan: Schema.String,
    status: Schema.String,
    period_start: Schema.Int,
    amount: Schema.Int,
    adjustment: Schema.Int,
    credit_applied: Schema.Int,
    retries: Schema.Int,
    captured: Schema.Int,
    refunded: Schema.Int,
    disputed: Schema.Int,
    credit_granted: Schema.Int,
    credit_withdrawn: Schema.Int
  }))
}))
export type Expected = typeof Expected.Type

/** What the services made of a history. */
export interface Played {
  readonly subscription: Subscription
  readonly cycles: ReadonlyArray<BillingCycle>
  readonly invoices: ReadonlyArray<Invoice>
  readonly disputes: ReadonlyArray<Dispute>
  readonly refused: ReadonlyArray<number>
  readonly plans: ReadonlyMap<string, string>
  readonly surprises: ReadonlyArray<string>
  /** Of the whole time, in the subscription's currency. */
  readonly recurring: { readonly sum: number; readonly closing: number }
  readonly revenue: { readonly volume: number; readonly refunds: number }
}

/** Plays it on a clock of its own. Two histories of one name may not be played beside each other. */
export const play = Effect.fnUntraced(function*(name: string, question: HistoryQuestion, cards: Cards) {
  yield* TestClock.setTime(question.operations[0]?.at ?? 0)
  const stage = yield* open(name, question, cards)
  const refused: Array<number> = []
  for (const [index, operation] of question.operations.entries()) {
    if (yield* operate(stage, operation)) refused.push(index)
  }
  yield* pass(stage, question.until)
  const { account, plans, subscription: id, surprises } = stage
  const subscription = yield* (yield* Subscriptions).get(account.id, id)
  const invoices = yield* (yield* InvoiceRepository).list(account.id, {}, { page: 1, per_page: 100 })
  const disputes = yield* (yield* Disputes).list(account.id, {}, { page: 1, per_page: 100 })
  const [usd] = (yield* (yield* MetricsReports).report(account.id, {
    from: DateTime.makeUnsafe(0),
    to: DateTime.makeUnsafe(question.until + 1),
    currency: "USD"
  })).currencies
  if (usd === undefined) return yield* Effect.die(new Error("no metrics of a currency that was asked for"))
  const { closing, opening, ...moved } = usd.recurring_revenue
  const played: Played = {
    subscription,
    cycles: yield* cyclesOf(stage),
    invoices: invoices.data,
    disputes: disputes.data,
    refused,
    plans,
    surprises,
    recurring: { sum: Object.values(moved).reduce((sum, { value }) => sum + value, opening.value), closing: closing.value },
    revenue: { volume: usd.volume.value, refunds: usd.refunds.value }
  }
  return played
}, Effect.provide(TestClock.layer(), { local: true }))
