import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layerDatabase } from "../database.ts"
import { connections, realTime } from "../real-time.ts"
import { numbersOf } from "../turns.ts"
import * as simulation from "./simulation.ts"

/** Histories of one run of the tests; `npm run prove` plays more. Set SIMULATION_SEED to play one again. */
const seeds = process.env["SIMULATION_SEED"] === undefined
  ? numbersOf("SIMULATION_SEEDS", 200).map((n) => `test-${n}`)
  : [process.env["SIMULATION_SEED"]]

/** Histories that once broke an invariant stay here for good. */
const named: ReadonlyArray<string> = []

const PER_TEST = 20

layer(connections.pipe(Layer.provide(Layer.provide(layerDatabase, realTime))), { timeout: 60_000 })("simulated histories", (it) => {
  const all = [...named, ...seeds]
  for (let at = 0; at < all.length; at += PER_TEST) {
    const some = all.slice(at, at + PER_TEST)
    it.effect(`seeds ${some[0]} to ${some.at(-1)} keep every invariant`, () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00.000Z"))
        for (const seed of some) {
          const { problems } = yield* simulation.simulate(seed)
          assert.deepStrictEqual(problems, [], `SIMULATION_SEED=${seed} npm test -- packages/testkit/src/simulation`)
        }
      }), 300_000)
  }
})
