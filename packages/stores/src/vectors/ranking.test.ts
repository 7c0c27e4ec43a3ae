/** The order of vectors that sums in the precision of float4 cannot tell apart. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { PackedVectors, unit } from "./packed.ts"
import { rank } from "./ranking.ts"

const DIMENSIONS = 384
const COUNT = 40

/** The dot product as float4 has it: each sum rounded. */
const singleDot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, x, n) => Math.fround(sum + Math.fround(x * (other[n] ?? 0))), 0)

/** The dot product of double numbers. */
const doubleDot = (one: Float32Array, other: Float32Array): number => one.reduce((sum, x, n) => sum + x * (other[n] ?? 0), 0)

describe("the ranking", () => {
  it.effect("is that of double numbers, where float4 sums would have another order", () =>
    Effect.gen(function*() {
      const packed = new PackedVectors(DIMENSIONS)
      const numbers = Effect.replicateEffect(Random.nextBetween(-1, 1), DIMENSIONS)
      const base = yield* numbers
      for (let n = 0; n < COUNT; n++) {
        const near = (yield* numbers).map((noise, at) => (base[at] ?? 0) + noise * 3e-4)
        packed.set({ id: `v${n}`, at: n, vector: unit(near) ?? new Float32Array(DIMENSIONS) })
      }
      const query = unit(base) ?? new Float32Array(DIMENSIONS)
      const places = Array.from({ length: COUNT }, (_, place) => place)
      const orderBy = (product: typeof doubleDot) =>
        places.toSorted((one, other) => product(packed.vector(other), query) - product(packed.vector(one), query))
      const exact = orderBy(doubleDot)
      assert.notDeepEqual(orderBy(singleDot), exact)
      for (const count of [1, 5, COUNT]) {
        const found = yield* rank(packed, query, { count })
        assert.deepStrictEqual(found.map(({ place }) => place), exact.slice(0, count))
      }
    }).pipe(Random.withSeed("near")))
})
