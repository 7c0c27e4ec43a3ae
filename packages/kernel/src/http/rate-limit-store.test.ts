import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Schema } from "effect"
import { layerStoreMemory, RateLimiterStore } from "effect/persistence/RateLimiter"
import { TestClock } from "effect/testing"
import { RateLimitBuckets } from "./rate-limit-store.ts"

const HOUR = 3_600_000

/** A try to pay of one page: 30 an hour. */
const take = (buckets: RateLimitBuckets, key: string, now: number) =>
  buckets.take({ key, tokens: 1, limit: 30, refillRate: Duration.millis(HOUR / 30), allowOverflow: false }, now)

describe("buckets in memory", () => {
  it("are let go once they are full again, however many strangers name", () => {
    const buckets = new RateLimitBuckets()
    let most = 0
    // Ten strangers' names a second, for an hour: each bucket is full again after two minutes, so 1,200 are not.
    for (let n = 0; n < 36_000; n++) {
      take(buckets, `stranger ${n}`, n * 100)
      most = Math.max(most, buckets.size)
    }
    assert.isAtMost(most, 2 * 1_200 + 10)
    for (let n = 0; n < 3_000; n++) take(buckets, "one", 2 * HOUR)
    assert.strictEqual(buckets.size, 1)
  })

  it("are never more than so many, and who asks most is refused meanwhile", () => {
    const buckets = new RateLimitBuckets()
    for (let n = 0; n < 150_000; n++) {
      take(buckets, `stranger ${n}`, 0)
      if (n % 1_000 === 0) take(buckets, "one", 0)
    }
    assert.strictEqual(buckets.size, 100_000)
    const left = Array.from({ length: 31 }, () => take(buckets, "one", 0)[0])
    assert.isBelow(left.at(-1) ?? 0, 0)
  })

  const Uses = Schema.Array(Schema.Struct({
    key: Schema.Literals(["a", "b", "c"]),
    tokens: Schema.Literals([1, 2, 3]),
    after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_000 }))
  }))

  it.effect.prop("say what Effect's store says, whoever asks when", [Uses], ([uses]) =>
    Effect.gen(function*() {
      const effects = yield* RateLimiterStore
      const buckets = new RateLimitBuckets()
      for (const { after, key, tokens } of uses) {
        yield* TestClock.adjust(after)
        const options = { key, tokens, limit: 3, refillRate: Duration.millis(700), allowOverflow: false }
        const now = yield* Clock.currentTimeMillis
        assert.deepStrictEqual(buckets.take(options, now), yield* effects.tokenBucket(options))
      }
    }).pipe(Effect.provide(layerStoreMemory)))
})
