/** A quote expires when time passes: for all accounts by Effect's test clock, for one account by a test clock of its own. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { TestClocks } from "@svc/accounts/test-clocks/service"
import { runDue } from "@svc/kernel/timers/timers"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now } from "@svc/kernel/values/time"
import { Quotes } from "@svc/payments/quotes/service"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { advanceClock } from "../../account-clock.ts"
import { services } from "../../services.ts"

const decodeId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const quoteOf = Effect.fnUntraced(function*(account: Effect.Success<typeof openAccount>) {
  const { body } = yield* (yield* Quotes).create(account, { source_amount: 10_000, source_currency: "USD", target_currency: "EUR" })
  return { account: account.id, id: decodeId(body).id }
})

const statusOf = ({ account, id }: Effect.Success<ReturnType<typeof quoteOf>>) =>
  Effect.map(Effect.flatMap(Quotes, ({ get }) => get(account, id)), ({ status }) => status)

layer(services, { timeout: "60 seconds" })("time in a test", (it) => {
  it.effect("moves for all accounts that have no clock of their own", () =>
    Effect.gen(function*() {
      const quote = yield* quoteOf(yield* openAccount)
      yield* TestClock.adjust("1 day")
      yield* runDue(yield* now)
      assert.strictEqual(yield* statusOf(quote), "expired")
    }))

  it.effect("moves for one account alone by its test clock", () =>
    Effect.gen(function*() {
      const [mine, other] = [yield* openAccount, yield* openAccount]
      yield* (yield* TestClocks).create(mine)
      const quotes = [yield* quoteOf(mine), yield* quoteOf(other)]
      yield* advanceClock(mine.id, DateTime.add(yield* now, { days: 1 }).epochMilliseconds)
      assert.deepStrictEqual(yield* Effect.forEach(quotes, statusOf), ["expired", "active"])
    }))
})
