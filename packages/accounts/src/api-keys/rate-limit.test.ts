import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Layer, Logger } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { TestClock } from "effect/testing"
import { layerStore, RequestLimit } from "./rate-limit.ts"

const environment = (variables: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))

const limitedBy = (variables: Record<string, string>) =>
  RequestLimit.layer.pipe(Layer.provide(layerStore), Layer.provide(environment(variables)))
const limited = (perSecond: number, burst: number) =>
  limitedBy({ RATE_LIMIT_PER_SECOND: String(perSecond), RATE_LIMIT_BURST: String(burst) })

/** How many of `tries` requests in one moment pass. */
const passing = (keyId: string, tries: number, accountId?: string) =>
  Effect.gen(function*() {
    const limit = yield* RequestLimit
    const taken = yield* Effect.forEach(Array.from({ length: tries }), () =>
      limit.take(accountId === undefined ? { keyId } : { keyId, accountId }))
    return taken.filter(({ retryAfter }) =>
      retryAfter === undefined
    ).length
  })

describe("RequestLimit", () => {
  const table = [[100, 200], [1, 1], [10, 3], [7, 50], [1000, 1]] as const
  it.effect.each(table)("%i a second with a burst of %i", ([perSecond, burst]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* passing("key_a", burst + 5), burst, "the burst")
      assert.strictEqual(yield* passing("key_b", burst + 5), burst, "another key has its own bucket")
      assert.strictEqual(yield* passing("key_a", 1), 0)
      let passed = 0
      for (let tenths = 0; tenths < 100; tenths++) {
        yield* TestClock.adjust("100 millis")
        passed += yield* passing("key_a", Math.ceil(perSecond / 10) + 1)
      }
      // A token every 1/7 s does not end on a whole millisecond.
      assert.approximately(passed, Math.min(perSecond * 10, burst * 100), 1, "ten seconds give ten seconds' worth")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* passing("key_a", burst + 5), burst, "a pause fills the bucket and no more")
    }).pipe(Effect.provide(limited(perSecond, burst))))

  it.effect("says where a key stands and when to come back, and keeps its word", () =>
    Effect.gen(function*() {
      const limit = yield* RequestLimit
      for (const [remaining, reset] of [[2, 1], [1, 2], [0, 3]] as const) {
        assert.deepStrictEqual(yield* limit.take({ keyId: "key_a" }), { limit: 3, remaining, reset, retryAfter: undefined })
      }
      assert.deepStrictEqual(yield* limit.take({ keyId: "key_a" }), { limit: 3, remaining: 0, reset: 3, retryAfter: 1 })
      yield* TestClock.adjust("999 millis")
      assert.strictEqual((yield* limit.take({ keyId: "key_a" })).retryAfter, 1)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* limit.take({ keyId: "key_a" })).retryAfter, undefined)
    }).pipe(Effect.provide(limited(1, 3))))

  const tenKeys = Array.from({ length: 10 }, (_, n) => `key_${n}`)
  it.effect("ten keys of one account have together what one has, unless the account has more", () =>
    Effect.gen(function*() {
      const together = (tries: number) =>
        Effect.map(Effect.forEach(tenKeys, (key) => passing(key, tries, "acct_a")), (passed) => passed.reduce((sum, n) => sum + n, 0))
      assert.strictEqual(yield* together(20), 20)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* together(20), 10)
      assert.strictEqual(yield* passing("key_other", 30, "acct_b"), 20, "another account has its own")
    }).pipe(Effect.provide(limited(10, 20))))

  it.effect("an account may have more than each of its keys, and what a key's own bucket refuses costs the account nothing", () =>
    Effect.gen(function*() {
      const limit = yield* RequestLimit
      assert.deepStrictEqual(yield* limit.take({ keyId: "key_0", accountId: "acct_a" }), {
        limit: 4,
        remaining: 3,
        reset: 1,
        retryAfter: undefined
      })
      assert.strictEqual(yield* passing("key_0", 100, "acct_a"), 3)
      assert.strictEqual(yield* passing("key_1", 100, "acct_a"), 4)
      assert.strictEqual(yield* passing("key_2", 100, "acct_a"), 2, "the account's ten are used up")
      assert.deepStrictEqual(yield* limit.take({ keyId: "key_3", accountId: "acct_a" }), {
        limit: 10,
        remaining: 0,
        reset: 5,
        retryAfter: 1
      })
    }).pipe(
      Effect.provide(
        limitedBy({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "4", RATE_LIMIT_ACCOUNT_PER_SECOND: "2", RATE_LIMIT_ACCOUNT_BURST: "10" })
      )
    ))

  it.effect("lets requests pass, and says so in the log, while the store does not answer", () =>
    Effect.gen(function*() {
      const logged: Array<unknown> = []
      const down = () => Effect.fail(new RateLimiter.RateLimiterError({ reason: new RateLimiter.RateLimitStoreError({ message: "down" }) }))
      const store = Layer.mock(RateLimiter.RateLimiterStore)({ tokenBucket: down })
      const standing = yield* RequestLimit.use((limit) => limit.take({ keyId: "key_a" })).pipe(
        Effect.provide([RequestLimit.layer.pipe(Layer.provide(store)), Logger.layer([Logger.make(({ message }) => logged.push(message))])])
      )
      assert.strictEqual(standing.retryAfter, undefined)
      assert.strictEqual(logged.length, 1)
    }))

  it.effect.each(
    [["RATE_LIMIT_PER_SECOND", "0"], ["RATE_LIMIT_BURST", "0"], ["RATE_LIMIT_BURST", "many"], ["RATE_LIMIT_ACCOUNT_BURST", "0"]] as const
  )(
    "refuses %s=%s",
    ([name, value]) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(
          Layer.build(RequestLimit.layer.pipe(Layer.provide(layerStore), Layer.provide(environment({ [name]: value }))))
        )
        assert.instanceOf(error, Config.ConfigError)
        assert.include(error.message, name)
      })
  )

  it.effect("refuses to start when REDIS_URL leads nowhere", () =>
    Effect.gen(function*() {
      // Port 1 is reserved and nothing listens there.
      const store = layerStore.pipe(Layer.provide(environment({ REDIS_URL: "redis://127.0.0.1:1" })))
      const error = yield* Effect.flip(Layer.build(store))
      assert.strictEqual(error._tag, "RedisUnreachable")
      assert.match(error.message, /REDIS_URL/)
    }))
})
