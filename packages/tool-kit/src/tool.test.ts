import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result, Schema } from "effect"
import { provided } from "./derive.ts"
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

class Rates extends Context.Service<Rates, { readonly rate: Effect.Effect<number> }>()("tool.test/Rates") {}
class Fees extends Context.Service<Fees, { readonly fee: Effect.Effect<number> }>()("tool.test/Fees") {}

const about = {
  title: "Convert",
  description: "Converts.",
  auth: "none",
  kind: "inline",
  limits: { seconds: 1, bytes: 1_000 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  prices: "free",
  payload: Schema.Struct({}),
  result: Schema.Struct({ amount: Schema.Finite }),
  examples: [{}]
} as const

const converts = Effect.flatMap(Rates, ({ rate }) => Effect.map(rate, (amount) => ({ amount })))

describe("the services of a tool", () => {
  it.effect("are given to its calls, and no others", () =>
    Effect.gen(function*() {
      let given: ReadonlyArray<string> = []
      const convert = tool({
        ...about,
        name: "convert",
        services: [Rates],
        run: () =>
          Effect.tap(converts, () =>
            Effect.map(Effect.context(), ({ mapUnsafe }) => {
              given = Array.from(mapUnsafe.keys()).filter((key) => key.startsWith("tool.test/"))
            }))
      })
      const all = Context.make(Rates, { rate: Effect.succeed(2) }).pipe(Context.add(Fees, { fee: Effect.succeed(1) }))
      const { run } = yield* Effect.fromResult(provided(convert, all).prepare({}, { id: "call_test", mode: "standard" }))
      assert.deepInclude(yield* run, { _tag: "Done", result: { amount: 2 } })
      assert.deepStrictEqual(given, ["tool.test/Rates"])
    }))

  it("that are not listed do not compile", () => {
    // @ts-expect-error the tool calls Rates
    tool({ ...about, name: "convert", run: () => converts })
  })
})
