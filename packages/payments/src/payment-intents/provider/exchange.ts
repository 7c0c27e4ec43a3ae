/**
 * At what a capture is exchanged: by a quote, or at the rate of the day. It is fixed before a rail is asked, so that no answer fails for
 * want of a rate.
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
import { wantedIn } from "../rules/exchange.ts"

/** Why nothing is exchanged as it was asked for. Nothing was charged. */
export type ExchangeRefused = QuoteExpired | RatesUnavailable | ValidationError

/** A payment that is to be exchanged, its account, and the moment. */
export interface PaymentExchange {
  readonly intent: Pick<PaymentIntent, "currency" | "destination_currency"> & { readonly id: string }
  /** Minor units that are to be captured. */
  readonly amount: number
  readonly account: AccountFacts
  readonly at: DateTime.Utc
}

/** The exchange of so much of the payment that a request is about, in minor units. */
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
      `destination_currency: there is no rate for ${currency}, so it is not exchanged here. Leave it out to settle the payment in its own currency.`
  })

const noQuote = () =>
  new ValidationError({
    code: "quote_id",
    message: `quote_id: there is no such quote. Make one with POST /v1/quotes, or leave it out to convert at the rate of the day.`
  })

/** So much of a capture is exchanged at most: its fee is taken before. */
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
      // Of two currencies that differ, a quote has all of these.
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
    /** The terms for a capture; undefined where the payment is settled in its own currency. */
    agree: Effect.fnUntraced(
      function*(exchanging: PaymentExchange, quote_id: string | null): Effect.fn.Return<AgreedExchange | undefined, ExchangeRefused> {
        const { at, intent } = exchanging
        const target = wantedIn(intent)
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
            `destination_currency: ${exchanging.amount} minor units of ${intent.currency} come to more of ${target} than an amount can say. Settle it in its own currency.`
        })
      }
    ),

    /** Whether such a payment could be exchanged, as far as it can be told when it is made. */
    possible: Effect.fnUntraced(
      function*(exchanging: PaymentExchange, quote_id: string | null): Effect.fn.Return<void, QuoteExpired | ValidationError> {
        const target = wantedIn(exchanging.intent)
        if (target === undefined) return
        if (quote_id !== null) yield* byQuote(quote_id, target, exchanging)
        // That there is none just now says nothing of the day of the capture.
        else yield* Effect.catchTag(ofTheDay(exchanging.intent.currency, target, exchanging.at), "RatesUnavailable", () => Effect.void)
      }
    ),

    /**
     * The call with the terms that hold now. What was fixed for an answer that came too late gives way to the rate of the day, where there
     * is one.
     */
    renewed: Effect.fnUntraced(function*(intent: PaymentIntent, call: OpenCall, at: DateTime.Utc): Effect.fn.Return<OpenCall> {
      const target = wantedIn(intent)
      const { exchange: fixed } = call
      if (fixed === undefined || target === undefined || DateTime.isLessThanOrEqualTo(at, fixed.holds_until)) return call
      return { ...call, exchange: yield* Effect.orElseSucceed(ofTheDay(intent.currency, target, at), () => fixed) }
    })
  }
})
