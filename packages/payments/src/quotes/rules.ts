/**
 * Converts an amount into another currency, and decides whether a payment may use a quote. The computation is exact and rounds three times:
 * the rate and the target amount down, the fee to the nearest unit.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { ValidationError } from "@svc/kernel/resource/errors"
import { allows } from "@svc/kernel/resource/state-machine"
import type { Entry, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { type Currency, exponentOf } from "@svc/kernel/values/currency"
import { basisPoints } from "@svc/kernel/values/money"
import { post } from "@svc/ledger/financial-events/routes"
import { DateTime, Result } from "effect"
import type { Rate, Ratio } from "../rates/model.ts"
import { QuoteExpired } from "./errors.ts"
import { quoteMachine } from "./machine.ts"
import { type CreateQuoteRequest, EXPIRES, FX_BPS, Quote, QUOTE_SECONDS, type QuoteId } from "./model.ts"

/** The significant digits of a quoted rate. JavaScript's numbers keep 15 digits exactly, so the API can show the rate as a number. */
const DIGITS = 12

const ten = (power: number): bigint => 10n ** BigInt(power)

/** The ratio as a decimal of 12 significant digits, rounded down. The rounding loses at most a trillionth, never at the platform's cost. */
export const decimalOf = ({ denominator, numerator }: Ratio): string => {
  // The decimal places that leave 12 significant digits: digits before the point count, zeros directly after the point do not.
  let places = 1
  while (numerator * ten(places) < denominator * ten(DIGITS - 1)) places++
  const digits = (numerator * ten(places) / denominator).toString().padStart(places + 1, "0")
  const point = digits.length - places
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/(?<![.0])0+$|\.0+$/u, "")
}

/** Converts `amount` minor units at a decimal rate, rounded down: nobody gains by an exchange there and back. */
export const converted = (amount: number, rate: string, source: Currency, target: Currency): bigint => {
  const [whole = "0", fraction = ""] = rate.split(".")
  const shift = exponentOf(target) - exponentOf(source) - fraction.length
  const product = BigInt(amount) * BigInt(`${whole}${fraction}`)
  return shift >= 0 ? product * ten(shift) : product / ten(-shift)
}

/** The quote after it is made, used or expired, and the further writes of its commit. */
export interface QuoteDecision {
  readonly quote: Quote
  readonly entries: ReadonlyArray<Entry>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

const refused = (message: string) => Result.fail(new ValidationError({ code: "source_amount", message: `source_amount: ${message}` }))

/** The amount that arrives, and the platform's fee, which is part of the source amount. */
const amountsOf = ({ source_amount, source_currency, target_currency }: CreateQuoteRequest, rate: string | null) => {
  if (rate === null) return { fee_amount: 0, target: BigInt(source_amount) }
  const fee_amount = basisPoints(source_amount, FX_BPS)
  return { fee_amount, target: converted(source_amount - fee_amount, rate, source_currency, target_currency) }
}

/** The facts of a new quote besides its request. `rate` is undefined where both currencies are the same. */
export interface QuoteFacts {
  readonly id: QuoteId
  readonly account: Pick<AccountFacts, "id">
  readonly rate: Rate | undefined
  readonly at: DateTime.Utc
}

export const quote = (
  request: CreateQuoteRequest,
  { account, at, id, rate: found }: QuoteFacts
): Result.Result<QuoteDecision, ValidationError> => {
  const rate = found === undefined ? null : decimalOf(found.ratio)
  const { fee_amount, target } = amountsOf(request, rate)
  const { source_amount, source_currency, target_currency } = request
  if (target < 1n) {
    return refused(`${source_amount} minor units of ${source_currency} come to less than one of ${target_currency}. Ask for more.`)
  }
  if (target > BigInt(Number.MAX_SAFE_INTEGER)) {
    return refused(
      `${source_amount} minor units of ${source_currency} come to more of ${target_currency} than an amount can say. Ask for less.`
    )
  }
  const newQuote: Quote = {
    id,
    merchant_id: AccountId.make(account.id),
    source_amount,
    source_currency,
    target_amount: Number(target),
    target_currency,
    fee_amount,
    rate,
    rate_date: found?.date ?? null,
    rate_source: found?.source ?? null,
    status: "active",
    payment_intent_id: null,
    expires_at: DateTime.add(at, { seconds: QUOTE_SECONDS }),
    created_at: at,
    updated_at: at,
    version: 1
  }
  return Result.succeed({
    quote: newQuote,
    entries: [post("quote_generated", { amount: source_amount, currency: source_currency, resource_type: "quote", resource_id: id })],
    set: [{ kind: EXPIRES, resource_id: id, due_at: newQuote.expires_at }],
    clear: []
  })
}

/** The exchange for which a payment uses a quote. */
export interface QuoteUse {
  readonly payment_intent_id: string
  /** The minor units to exchange, after the fees of the payment. */
  readonly amount: number
  readonly source: Currency
  readonly target: Currency
}

const unfit = (message: string, details?: Readonly<Record<string, unknown>>) =>
  Result.fail(new ValidationError({ code: "quote_id", message: `quote_id: ${message}`, ...(details === undefined ? {} : { details }) }))

/**
 * The quote, if the payment may use it now. Fails with 400 `quote_expired`, or 400 `validation_error` with `code: "quote_id"` for a quote
 * of other currencies, of a smaller amount or of another payment. The same payment may use its quote again: the answer of its first capture
 * may have been lost.
 */
export const mayUse = (of: Quote, wanted: QuoteUse, at: DateTime.Utc): Result.Result<Quote, QuoteExpired | ValidationError> => {
  if (of.source_currency !== wanted.source || of.target_currency !== wanted.target) {
    return unfit(
      `this quote is from ${of.source_currency} to ${of.target_currency}, the payment goes from ${wanted.source} to ${wanted.target}. ` +
        "Quote these two."
    )
  }
  if (wanted.amount > of.source_amount) {
    return unfit(
      `this quote is for ${of.source_amount} minor units of ${of.source_currency}, and ${wanted.amount} are to be exchanged. Quote at ` +
        "least that.",
      { quoted: of.source_amount }
    )
  }
  if (of.status === "used") {
    return of.payment_intent_id === wanted.payment_intent_id
      ? Result.succeed(of)
      : unfit("this quote was used for another payment; each is used once. Make another.")
  }
  return of.status === "expired" || !DateTime.isGreaterThan(of.expires_at, at)
    ? Result.fail(
      new QuoteExpired({
        code: "quote_id",
        message: `quote_id: this quote held until ${
          DateTime.formatIso(of.expires_at)
        }. Make another, or leave it out to convert at the rate of the day.`,
        details: { expired_at: DateTime.formatIso(of.expires_at) }
      })
    )
    : Result.succeed(of)
}

/** The payment uses the quote. No other payment can use the quote afterwards. */
export const use = (of: Quote, payment_intent_id: string, at: DateTime.Utc): QuoteDecision => ({
  quote: change(of, at, { status: "used", payment_intent_id }),
  entries: [],
  set: [],
  clear: [{ kind: EXPIRES, resource_id: of.id }]
})

/** Ends a quote whose time is over; undefined if the quote is used or expired already. */
export const expire = (of: Quote, at: DateTime.Utc): QuoteDecision | undefined =>
  allows(quoteMachine, of.status, "expire") && !DateTime.isGreaterThan(of.expires_at, at)
    ? { quote: change(of, at, { status: "expired" }), entries: [], set: [], clear: [{ kind: EXPIRES, resource_id: of.id }] }
    : undefined
