import { assert, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { tool } from "./tool.ts"

const quote = tool({
  name: "quote",
  title: "Quote",
  description: "Quotes.",
  auth: "none",
  kind: "inline",
  limits: { seconds: 1, bytes: 1_000 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  prices: "free",
  payload: Schema.Struct({
    amount: Schema.Int,
    currency: Schema.Literals(["USD", "EUR"]),
    idempotency_key: Schema.String,
    note: Schema.optionalKey(Schema.String)
  }),
  result: Schema.Struct({}),
  examples: [{ amount: 1, currency: "USD", idempotency_key: "k" }],
  run: () => Effect.succeed({})
})

it.each([
  [{ amount: 1, currency: "USD" }, "`idempotency_key` is missing."],
  [{ amount: 1, currency: "USD", idempotency_key: "k", nota: "" }, "`nota` is not known here; did you mean note?"],
  [{ amount: 1, currency: "GBP" }, "`currency`: Expected one of \"USD\", \"EUR\". `idempotency_key` is missing."],
  [{ amount: "1", currency: "USD", idempotency_key: "k" }, "`amount`: Expected number."]
])("arguments that do not fit are refused in a sentence a field: %j", (args, message) => {
  const prepared = quote.compiled.prepare(args, { id: "call_1", mode: "standard" })
  assert.deepStrictEqual(Result.isFailure(prepared) ? prepared.failure.message : "", message)
})
