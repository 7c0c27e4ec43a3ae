import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { latencies, median, quantile } from "./histogram.ts"

const Samples = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))).check(Schema.isBetweenLength(1, 200))
const Share = Schema.Literals([0.01, 0.5, 0.9, 0.99, 1])

describe("quantiles", () => {
  it.prop("are the least sample that covers the share", [Samples, Share], ([samples, q]) => {
    const value = quantile(samples.toSorted((a, b) => a - b), q)
    const covered = samples.filter((sample) => sample <= value).length
    const less = samples.filter((sample) => sample < value).length
    assert.isAtLeast(covered, q * samples.length)
    assert.isBelow(less, q * samples.length)
  })

  it.prop("stand in order, whatever the order of the samples", [Samples], ([samples]) => {
    const { count, max, p50, p99 } = latencies(samples)
    assert.strictEqual(count, samples.length)
    assert.strictEqual(max, Math.max(...samples))
    assert.isTrue(p50 <= p99 && p99 <= max)
  })

  it("of nothing are nothing", () => {
    assert.isNaN(latencies([]).p50)
    assert.isNaN(median([]))
  })

  it("the median of an even number of rounds is the mean of the middle two", () => {
    assert.strictEqual(median([9, 1, 4, 2]), 3)
    assert.strictEqual(median([9, 1, 4]), 4)
  })
})
