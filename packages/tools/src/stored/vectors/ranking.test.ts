/** The order of vectors that the scan's float4 sums cannot tell apart. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { dot, Packed, unit } from "./packed.ts"
import { rank } from "./ranking.ts"

const DIMENSIONS = 384
/** So few that all of them are candidates, so that only their order can be wrong. */
const COUNT = 40

describe("the ranking", () => {
  it.effect("is that of double numbers, where the scan would have another order", () => Effect.gen(function*() {
    const packed = new Packed(DIMENSIONS)
    const numbers = Effect.replicateEffect(Random.nextBetween(-1, 1), DIMENSIONS)
    const base = yield* numbers
    for (let n = 0; n < COUNT; n++) {
      const near = (yield* numbers).map((noise, at) => (base[at] ?? 0) + noise * 3e-4)
      packed.set({ id: `v${n}`, at: n, vector: unit(near) ?? new Float32Array(DIMENSIONS) })
    }
    const query = unit(base) ?? new Float32Array(DIMENSIONS)
    const places = Array.from({ length: COUNT }, (_, place) => place)
    const exact = places.toSorted((one, other) => dot(packed.vector(other), query) - dot(packed.vector(one), query))
    const { products } = packed.step(query, 0)
    const scanned = places.toSorted((one, other) => (products[other] ?? 0) - (products[one] ?? 0))
    assert.notDeepEqual(scanned, exact)
    for (const count of [1, 5, COUNT]) {
      const found = yield* rank(packed, query, { count })
      assert.deepStrictEqual(found.map(({ place }) => place), exact.slice(0, count))
    }
  }).pipe(Random.withSeed("near")))
})
