/** The products beside sums by hand, and the packing beside a map. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { PackedVectors, unit } from "./packed.ts"

const vectorOf = (dimensions: number) => Effect.replicateEffect(Random.nextBetween(-1, 1), dimensions)

const productOf = (one: Float32Array, other: Float32Array): number => one.reduce((sum, x, n) => sum + x * (other[n] ?? 0), 0)

describe("the product of a query", () => {
  it.effect.each([1, 3, 8, 31, 384, 1_537, 4_096])(
    "with vectors of %i dimensions is the sum of the products",
    (dimensions) =>
      Effect.gen(function*() {
        const packed = new PackedVectors(dimensions)
        const count = dimensions > 1_000 ? 300 : 4_097
        const vectors: Array<Float32Array> = []
        for (let n = 0; n < count; n++) {
          const vector = unit(yield* vectorOf(dimensions)) ?? new Float32Array(dimensions)
          vectors.push(vector)
          packed.set({ id: `v${n}`, at: n, vector })
        }
        const query = unit(yield* vectorOf(dimensions)) ?? new Float32Array(dimensions)
        assert.strictEqual(packed.size, count)
        for (const [place, vector] of vectors.entries()) {
          assert.approximately(packed.product(place, query), productOf(query, vector), 1e-12, `vector ${place}`)
        }
      }).pipe(Random.withSeed(String(dimensions)))
  )

  it.effect("finds what was set, replaced, removed and kept", () =>
    Effect.gen(function*() {
      const packed = new PackedVectors(5)
      const model = new Map<string, { readonly at: number; readonly vector: Float32Array }>()
      for (let n = 0; n < 2_000; n++) {
        const id = `v${yield* Random.nextIntBetween(0, 300)}`
        const chance = yield* Random.nextIntBetween(0, 1_000)
        if (chance < 650) {
          const entry = { at: n, vector: unit(yield* vectorOf(5)) ?? new Float32Array(5) }
          model.set(id, entry)
          packed.set({ id, ...entry })
        } else if (chance < 998) {
          model.delete(id)
          packed.remove(id)
        } else {
          for (const key of [...model.keys()].slice(0, 100)) model.delete(key)
          packed.keep(new Set(model.keys()))
        }
      }
      assert.isAbove(model.size, 20)
      assert.strictEqual(packed.size, model.size)
      for (const [id, { at, vector }] of model) {
        const place = packed.place(id) ?? -1
        assert.strictEqual(packed.id(place), id)
        assert.strictEqual(packed.at(place), at)
        assert.deepStrictEqual(Array.from(packed.vector(place)), Array.from(vector))
      }
    }).pipe(Random.withSeed("packing")))
})

describe("the vector of length 1", () => {
  it("of large, small and ordinary numbers is the same", () => {
    for (const factor of [1, 1e300, 1e-300, -1]) {
      const [x = 0, y = 0] = unit([3 * factor, 4 * factor]) ?? []
      assert.approximately(x, 0.6 * Math.sign(factor), 1e-7)
      assert.approximately(y, 0.8 * Math.sign(factor), 1e-7)
    }
    assert.isUndefined(unit([0, 0]))
  })
})
