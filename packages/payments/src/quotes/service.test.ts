import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { NoRate } from "../rates/model.ts"
import { Rates } from "../rates/rates.ts"
import { Quotes } from "./service.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    id: Schema.String,
    target_amount: Schema.Int,
    conversion_rate: Schema.NullOr(Schema.Finite),
    rate_source: Schema.NullOr(Schema.String)
  })
)
const shown = ({ body }: { readonly body: string }) => decode(parseJson(body))

const open = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

let keys = 0
const keyed = () => ({ key: IdempotencyKey.make(`quotes-${keys++}`), operation: "quote.create", fingerprint: "0".repeat(64) })

const request = { source_amount: 10_000, source_currency: "USD", target_currency: "EUR" }

layer(services, { timeout: 60_000 })("quotes", (it) => {
  it.effect("are promised once a key, stand in the books, and end five minutes later", () =>
    Effect.gen(function*() {
      const [account, quotes, key] = [yield* open, yield* Quotes, keyed()]
      const all = yield* Effect.all(Array.from({ length: 8 }, () => quotes.create(account, request, key)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(all.map(({ body }) => body)).size, 1)
      assert.deepStrictEqual(all.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
      const { conversion_rate, id, target_amount } = shown(all[0]!)
      assert.deepStrictEqual([conversion_rate, target_amount], [0.865, 8_563])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
      yield* TestClock.adjust("299 seconds")
      yield* runDue(yield* now)
      assert.strictEqual((yield* quotes.get(account.id, id)).status, "active")
      yield* TestClock.adjust("1 seconds")
      yield* runDue(yield* now)
      assert.strictEqual((yield* quotes.get(account.id, id)).status, "expired")
      const { data } = yield* quotes.list(account.id, { status: "expired" }, { page: 1, per_page: 10 })
      assert.deepStrictEqual(data.map((one) => one.id), [id])
      assert.isEmpty((yield* quotes.list(account.id, { status: "active" }, { page: 1, per_page: 10 })).data)
    }))

  it.effect("are another's secret", () =>
    Effect.gen(function*() {
      const [account, other, quotes] = [yield* open, yield* open, yield* Quotes]
      const { id } = shown(yield* quotes.create(account, request))
      assert.strictEqual((yield* Effect.flip(quotes.get(other.id, id)))._tag, "NotFound")
      assert.isEmpty((yield* quotes.list(other.id, {}, { page: 1, per_page: 10 })).data)
    }))

  it.effect("ask whoever gives the rates, and name the currency that has none", () =>
    Effect.gen(function*() {
      const [account, quotes] = [yield* open, yield* Quotes]
      const { rate_source, target_amount } = shown(yield* quotes.create(account, request))
      assert.deepStrictEqual([target_amount, rate_source], [19_800, "a test"])
      const refused = yield* Effect.flip(quotes.create(account, { ...request, target_currency: "JPY" }))
      assert.deepInclude(refused, { code: "target_currency" })
    }).pipe(Effect.provide(
      Layer.fresh(Quotes.layer).pipe(
        Layer.provide(Layer.succeed(Rates, {
          between: (_, target) =>
            target === "EUR"
              ? Effect.succeed({ ratio: { numerator: 2n, denominator: 1n }, date: "2026-01-01", source: "a test" })
              : Effect.fail(new NoRate({ currency: target }))
        }))
      )
    )))
})
