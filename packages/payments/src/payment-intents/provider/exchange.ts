/**
 * The terms of the exchange of a capture: a quote, or the rate of the day. The terms are fixed before the call to the rail, so that no
 * answer of a rail fails without a rate.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import { readerOf } from "@svc/kernel/resource/reader"
import type { Currency } from "@svc/kernel/values/currency"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Effect } from "effect"
import type { QuoteExpired } from "../../quotes/errors.ts"
import { ConversionId, type ExchangeTerms, QUOTE_SECONDS, quoteReading, quotes as quoteTable } from "../../quotes/model.ts"
import { converted, decimalOf, mayUse } from "../../quotes/rules.ts"
import type { RatesUnavailable } from "../../rates/errors.ts"
import { Rates } from "../../rates/rates.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import type { AgreedExchange } from "../model/exchange.ts"
import type { IntentWork } from "../road.ts"
import { feeOf } from "../rules/capture.ts"
import { exchangeTarget } from "../rules/exchange.ts"

/** Why the requested exchange is impossible. Nothing was charged. */
export type ExchangeRefused = QuoteExpired | RatesUnavailable | ValidationError

/** A payment to exchange, with its account and the moment. */
export interface PaymentExchange {
  readonly intent: Pick<PaymentIntent, "currency" | "destination_currency"> & { readonly id: string }
  /** The minor units to capture. */
  readonly amount: number
  readonly account: AccountFacts
  readonly at: DateTime.Utc
}

/** The exchange of this many minor units of the request's payment. */
export const exchangeOf = ({ account, at, resource }: IntentWork, amount: number): PaymentExchange => ({
  intent: resource,
  amount,
  account,
  at
})

const noRate = (currency: Currency) =>
  new ValidationError({
    code: "destination_currency",
    message:
      `destination_currency: there is no rate for ${currency}, so it is not exchanged here. Leave it out to settle the payment in its ` +
      "own currency."
  })

const noQuote = () =>
  new ValidationError({
    code: "quote_id",
    message: `quote_id: there is no such quote. Make one with POST /v1/quotes, or leave it out to convert at the rate of the day.`
  })

/** The largest exchanged amount of a capture: the captured amount less the fee. */
const exchangeable = ({ account, amount }: PaymentExchange): number => amount - feeOf(amount, { account })

export const makeExchange = Effect.gen(function*() {
  const quotes = yield* readerOf(quoteTable, quoteReading)
  const rates = yield* Rates

  const ofTheDay = Effect.fnUntraced(
    function*(source: Currency, target: Currency, at: DateTime.Utc): Effect.fn.Return<ExchangeTerms, RatesUnavailable | ValidationError> {
      const { date, ratio, source: who } = yield* Effect.catchTag(
        rates.between(source, target),
        "NoRate",
        ({ currency }) => Effect.fail(noRate(currency))
      )
      return {
        conversion_id: ConversionId.make(makeId("cnv", at.epochMilliseconds)),
        quote_id: null,
        rate: decimalOf(ratio),
        rate_date: date,
        rate_source: who,
        holds_until: DateTime.add(at, { seconds: QUOTE_SECONDS })
      }
    }
  )

  const byQuote = Effect.fnUntraced(
    function*(id: string, target: Currency, exchanging: PaymentExchange): Effect.fn.Return<AgreedExchange, QuoteExpired | ValidationError> {
      const { account, at, intent: { currency: source, id: payment_intent_id } } = exchanging
      const found = (yield* quotes.find(account.id, id)) ?? (yield* noQuote())
      const quote = yield* Effect.fromResult(mayUse(found, { payment_intent_id, amount: exchangeable(exchanging), source, target }, at))
      const { expires_at: holds_until, id: quote_id, rate, rate_date, rate_source } = quote
      // A quote between two different currencies has all three.
      if (rate === null || rate_date === null || rate_source === null) return yield* noQuote()
      const terms = {
        conversion_id: ConversionId.make(makeId("cnv", at.epochMilliseconds)),
        quote_id,
        rate,
        rate_date,
        rate_source,
        holds_until
      }
      return quote.status === "used" ? { terms } : { terms, quote }
    }
  )

  return {
    /** The terms for a capture; undefined if the payment is settled in its own currency. */
    agree: Effect.fnUntraced(
      function*(exchanging: PaymentExchange, quote_id: string | null): Effect.fn.Return<AgreedExchange | undefined, ExchangeRefused> {
        const { at, intent } = exchanging
        const target = exchangeTarget(intent)
        if (target === undefined) return undefined
        const agreed = quote_id === null
          ? { terms: yield* ofTheDay(intent.currency, target, at) }
          : yield* byQuote(quote_id, target, exchanging)
        if (converted(exchangeable(exchanging), agreed.terms.rate, intent.currency, target) <= BigInt(Number.MAX_SAFE_INTEGER)) {
          return agreed
        }
        return yield* new ValidationError({
          code: "destination_currency",
          message:
            `destination_currency: ${exchanging.amount} minor units of ${intent.currency} come to more of ${target} than an amount can ` +
            "say. Settle it in its own currency."
        })
      }
    ),

    /** Fails if the exchange of a new payment is already known to be impossible. */
    possible: Effect.fnUntraced(
      function*(exchanging: PaymentExchange, quote_id: string | null): Effect.fn.Return<void, QuoteExpired | ValidationError> {
        const target = exchangeTarget(exchanging.intent)
        if (target === undefined) return
        if (quote_id !== null) yield* byQuote(quote_id, target, exchanging)
        // Rates that are missing now may be there on the day of the capture.
        else yield* Effect.catchTag(ofTheDay(exchanging.intent.currency, target, exchanging.at), "RatesUnavailable", () => Effect.void)
      }
    ),

    /** The call with valid terms: after expired terms, those of the rate of the day, if there is one. */
    renewed: Effect.fnUntraced(function*(intent: PaymentIntent, call: OpenCall, at: DateTime.Utc): Effect.fn.Return<OpenCall> {
      const target = exchangeTarget(intent)
      const { exchange: fixed } = call
      if (fixed === undefined || target === undefined || DateTime.isLessThanOrEqualTo(at, fixed.holds_until)) return call
      return { ...call, exchange: yield* Effect.orElseSucceed(ofTheDay(intent.currency, target, at), () => fixed) }
    })
  }
})
