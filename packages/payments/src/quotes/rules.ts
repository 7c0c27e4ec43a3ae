/**
 * What an amount comes to in another currency. Exact, and rounded three times: the rate and the target down, the fee to the nearest unit.
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

/** The digits of a quoted rate. A number of JavaScript tells 15 apart, so the number on the wire is the decimal itself. */
const DIGITS = 12

const ten = (power: number): bigint => 10n ** BigInt(power)

/** The ratio as a decimal of 12 significant digits, rounded down: what is lost is a trillionth, and it is not the platform's. */
export const decimalOf = ({ denominator, numerator }: Ratio): string => {
  // The places that leave 12 digits: those before the point count, and zeros after it do not.
  let places = 1
  while (numerator * ten(places) < denominator * ten(DIGITS - 1)) places++
  const digits = (numerator * ten(places) / denominator).toString().padStart(places + 1, "0")
  const point = digits.length - places
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/(?<![.0])0+$|\.0+$/u, "")
}

/** `amount` minor units of one currency in those of another at a decimal rate, rounded down: an exchange there and back never wins. */
export const converted = (amount: number, rate: string, source: Currency, target: Currency): bigint => {
  const [whole = "0", fraction = ""] = rate.split(".")
  const shift = exponentOf(target) - exponentOf(source) - fraction.length
  const product = BigInt(amount) * BigInt(`${whole}${fraction}`)
  return shift >= 0 ? product * ten(shift) : product / ten(-shift)
}

/** What a quote's making or end comes to. */
export interface QuoteDecision {
  readonly quote: Quote
  readonly entries: ReadonlyArray<Entry>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

const refused = (message: string) => Result.fail(new ValidationError({ code: "source_amount", message: `source_amount: ${message}` }))

/** What arrives, and what the platform takes of what is sent. */
const amountsOf = ({ source_amount, source_currency, target_currency }: CreateQuoteRequest, rate: string | null) => {
  if (rate === null) return { fee_amount: 0, target: BigInt(source_amount) }
  const fee_amount = basisPoints(source_amount, FX_BPS)
  return { fee_amount, target: converted(source_amount - fee_amount, rate, source_currency, target_currency) }
}

/** What a quote is made of besides the request. The rate is absent where both currencies are the same. */
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

/** The exchange that a payment uses a quote for. */
export interface QuoteUse {
  readonly payment_intent_id: string
  /** Minor units, what is exchanged: fees of the payment are taken before. */
  readonly amount: number
  readonly source: Currency
  readonly target: Currency
}

const unfit = (message: string, details?: Readonly<Record<string, unknown>>) =>
  Result.fail(new ValidationError({ code: "quote_id", message: `quote_id: ${message}`, ...(details === undefined ? {} : { details }) }))

/**
 * Whether the payment may be exchanged by this quote now. One that is used for this very payment already, by a capture whose answer was
 * lost, still holds.
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

/** Used for this payment, once and for good. */
export const use = (of: Quote, payment_intent_id: string, at: DateTime.Utc): QuoteDecision => ({
  quote: change(of, at, { status: "used", payment_intent_id }),
  entries: [],
  set: [],
  clear: [{ kind: EXPIRES, resource_id: of.id }]
})

/** Its time is over; undefined for one that is used or expired already. */
export const expire = (of: Quote, at: DateTime.Utc): QuoteDecision | undefined =>
  allows(quoteMachine, of.status, "expire") && !DateTime.isGreaterThan(of.expires_at, at)
    ? { quote: change(of, at, { status: "expired" }), entries: [], set: [], clear: [{ kind: EXPIRES, resource_id: of.id }] }
    : undefined
