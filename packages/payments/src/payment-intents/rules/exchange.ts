/** Money that is settled in another currency than it was paid in: exchanged when it is captured, and undone when it is given back. */
import type { CommitMoment, Entry } from "@svc/kernel/road/decision"
import type { Currency } from "@svc/kernel/values/currency"
import { basisPoints } from "@svc/kernel/values/money"
import { post } from "@svc/ledger/financial-events/routes"
import { type ExchangeTerms, FX_BPS, quoteUsed } from "../../quotes/model.ts"
import { converted } from "../../quotes/rules.ts"
import type { PaymentIntent } from "../model.ts"
import type { AgreedExchange, PaymentConversion } from "../model/exchange.ts"
import { about, type IntentDecision } from "./decision.ts"

/** The currency in which the merchant gets the money. */
export const settledIn = ({ conversion, currency }: Pick<PaymentIntent, "conversion" | "currency">): Currency =>
  conversion?.target_currency ?? currency

/** The other currency that the payment is to be settled in; undefined where nothing is exchanged. */
export const wantedIn = (
  { currency, destination_currency }: Pick<PaymentIntent, "currency" | "destination_currency">
): Currency | undefined => destination_currency === null || destination_currency === currency ? undefined : destination_currency

/**
 * What so much of the payment's currency comes to, the fee of the exchange taken first. Undefined where it comes to less than one minor
 * unit of the other: then it stays what it is.
 */
export const exchanged = (
  amount: number,
  { conversion_id: id, quote_id, rate, rate_date, rate_source }: ExchangeTerms,
  source: Currency,
  target: Currency
): PaymentConversion | undefined => {
  const fee_amount = basisPoints(amount, FX_BPS)
  const target_amount = Number(converted(amount - fee_amount, rate, source, target))
  if (target_amount < 1) return undefined
  return {
    id,
    quote_id,
    source_amount: amount - fee_amount,
    target_amount,
    target_currency: target,
    fee_amount,
    rate,
    rate_date,
    rate_source
  }
}

/** The rows of the exchange: its fee, out of the one currency, and into the other. */
export const exchangeEntries = (
  intent: PaymentIntent,
  { fee_amount, source_amount, target_amount, target_currency }: PaymentConversion
): ReadonlyArray<Entry> => {
  const on = about(intent)
  return [
    ...(fee_amount > 0 ? [post("fee_charged", { ...on, amount: fee_amount })] : []),
    post("conversion_executed/source", { ...on, amount: source_amount }),
    post("conversion_executed/target", { ...on, currency: target_currency, amount: target_amount })
  ]
}

type Exchanged = Pick<PaymentIntent, "captured_amount" | "conversion" | "disputed_amount" | "refunded_amount">

/**
 * How much of the exchange is undone while so much of the payment is not the merchant's. It depends on nothing else, so that no history of
 * refunds and disputes adds roundings up; and it is rounded against the merchant on both sides, so that none wins by one.
 */
const undone = ({ captured_amount, conversion, disputed_amount, refunded_amount }: Exchanged) => {
  if (conversion === null) return { source: 0, target: 0 }
  // A dispute may be about money that was refunded before: an exchange is undone once.
  const [gone, captured] = [BigInt(Math.min(refunded_amount + disputed_amount, captured_amount)), BigInt(captured_amount)]
  return {
    source: Number(BigInt(conversion.source_amount) * gone / captured),
    target: Number((BigInt(conversion.target_amount) * gone + captured - 1n) / captured)
  }
}

/**
 * What a change of the payment undoes of the exchange, in minor units of each currency. Negative where it is done again, as when a dispute
 * is won.
 */
export const undoneBy = (before: Exchanged, after: Exchanged) => {
  const [then, now] = [undone(before), undone(after)]
  return { source: now.source - then.source, target: now.target - then.target }
}

/** The rows that move an exchange back or forth through what is available, about whatever does so. */
export const undoing = (
  before: PaymentIntent,
  after: PaymentIntent,
  on: { readonly resource_type: string; readonly resource_id: string }
): ReadonlyArray<Entry> => {
  const { source, target } = undoneBy(before, after)
  const legs = [{ amount: -target, currency: settledIn(after) }, { amount: source, currency: after.currency }]
  return legs.filter(({ amount }) => amount !== 0).map(({ amount, currency }) =>
    post(amount < 0 ? "conversion_executed/taken_back" : "conversion_executed/given_back", {
      ...on,
      currency,
      amount: Math.abs(amount),
      through_pending: 0
    })
  )
}

/** What the first commit that rests on these terms says: their quote is used up. */
export const usingUp = (exchange: AgreedExchange | undefined, { id }: PaymentIntent): ReadonlyArray<CommitMoment> =>
  exchange?.quote === undefined ? [] : [quoteUsed.of({ quote: exchange.quote, payment_intent_id: id })]

/**
 * The decision about an answer to a call that was not announced: where it rests on the terms, now or once the customer has acted, their
 * quote is used up.
 */
export const withQuoteUsed = (decided: IntentDecision, exchange: AgreedExchange | undefined): IntentDecision => {
  const { intent, moments } = decided
  return intent.state === "captured" || intent.state === "pending"
    ? { ...decided, moments: [...moments, ...usingUp(exchange, intent)] }
    : decided
}
