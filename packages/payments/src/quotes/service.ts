/** The verbs of a quote: a request makes the quote, a timer ends the quote. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import { type Decision, type NewRow, verbsOf } from "@svc/kernel/resource/verbs"
import type { Addition, FollowedCommit } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"
import { Rates } from "../rates/rates.ts"
import { type CreateQuoteRequest, type Quote, quoteReading, quotes, wireOf } from "./model.ts"
import * as rules from "./rules.ts"

/** The addition to a commit that uses a quote. */
export const onUse = (
  { payment_intent_id, quote: used }: { readonly quote: Quote; readonly payment_intent_id: string },
  { at }: FollowedCommit
): Effect.Effect<Addition> =>
  Effect.sync(() => {
    const { clear, quote } = rules.use(used, payment_intent_id, at)
    return { writes: [quotes.write(quote)], clear }
  })

const committed = ({ quote, ...effects }: rules.QuoteDecision): Decision<Quote> => ({ resource: quote, ...effects })

export class Quotes extends Context.Service<Quotes>()("@svc/payments/Quotes", {
  make: Effect.gen(function*() {
    const rates = yield* Rates
    const { change, createAnyhow, get, list } = yield* verbsOf(quotes, { ...quoteReading, wire: wireOf })

    const rateOf = Effect.fnUntraced(function*({ source_currency, target_currency }: CreateQuoteRequest) {
      if (source_currency === target_currency) return undefined
      return yield* Effect.catchTag(rates.between(source_currency, target_currency), "NoRate", ({ currency }) => {
        const code = currency === source_currency ? "source_currency" : "target_currency"
        return Effect.fail(
          new ValidationError({
            code,
            message: `${code}: there is no rate for ${currency}, so it is not exchanged here. Quote another currency.`
          })
        )
      })
    })

    const create = Effect.fnUntraced(
      function*(request: CreateQuoteRequest, { created_at: at, id }: NewRow<Quote>, account: Pick<AccountFacts, "id">) {
        return committed(yield* Effect.fromResult(rules.quote(request, { id, account, rate: yield* rateOf(request), at })))
      }
    )

    return {
      create: createAnyhow("Quotes.create", create),
      get,
      list,
      /** For the timer: ends the quote when its time is over. */
      expire: Effect.fn("Quotes.expire")(function*(account: string, id: string) {
        yield* change(account, id, (quote, at) => {
          const decision = rules.expire(quote, at)
          return Effect.succeed(decision === undefined ? undefined : committed(decision))
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Quotes, Quotes.make)
}
