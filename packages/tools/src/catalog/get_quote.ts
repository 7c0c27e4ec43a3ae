/** What an amount comes to in another currency, for the account of the agent's key. */
import { IdempotencyInProgress, IdempotencyKeyReused, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { Currency } from "@svc/kernel/values/currency"
import { parseJson } from "@svc/kernel/values/json"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { QuoteJson } from "@svc/payments/quotes/model"
import { Quotes } from "@svc/payments/quotes/service"
import { RatesUnavailable } from "@svc/payments/rates/errors"
import { accountOf, agentOf } from "@svc/tool-kit/call"
import { unsaid, whole } from "@svc/tool-kit/fields"
import { refusedAs } from "@svc/tool-kit/gate/policy"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Result, Schema } from "effect"
import { amountAllowed, currenciesAllowed } from "../agent-payments/rules.ts"

const {
  conversion_rate,
  expires_at,
  fee_amount,
  id,
  rate_date,
  rate_source,
  source_amount,
  source_currency,
  target_amount,
  target_currency
} = QuoteJson.fields

const Quoted = Schema.Struct({
  id,
  source_amount,
  source_currency,
  target_amount,
  target_currency,
  fee_amount,
  conversion_rate,
  rate_date,
  rate_source,
  expires_at
})
const decodeQuote = Schema.decodeUnknownSync(Quoted)

/** An ISO 4217 code. The list of all of them costs whoever reads it a thousand tokens. */
export const CurrencyCode = Schema.String.check(Schema.makeFilter((code: string) => Schema.is(Currency)(code), {
  ...unsaid,
  message: "must be an ISO 4217 code in capital letters, for example USD",
  arbitraryConstraint: { patterns: [{ source: "^(?:USD|EUR|GBP|JPY|KWD)$", flags: "" }] }
}))

export const get_quote = tool({
  name: "get_quote",
  title: "Get a quote",
  description: "What an amount comes to in another currency, after the fee, for five minutes. Amounts are minor units.",
  auth: "agent",
  scopes: ["quotes:write"],
  kind: "inline",
  prices: "free",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 10, bytes: 2048 },
  payload: Schema.Struct({ source_amount: whole(1, MAX_AMOUNT), source_currency: CurrencyCode, target_currency: CurrencyCode }),
  result: Quoted,
  error: Schema.Union([ValidationError, IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, RatesUnavailable]),
  examples: [{ source_amount: 10_000, source_currency: "USD", target_currency: "EUR" }],
  services: [Quotes],
  run: Effect.fnUntraced(function*(request, call) {
    const { policy } = agentOf(call)
    const allowed = Result.flatMap(
      currenciesAllowed(policy, request.source_currency, request.target_currency),
      () => amountAllowed(policy, request.source_amount)
    )
    yield* Effect.mapError(Effect.fromResult(allowed), ({ code, detail }) => refusedAs(code, detail))
    const { body } = yield* (yield* Quotes).create(accountOf(call), request)
    return decodeQuote(parseJson(body))
  })
})
