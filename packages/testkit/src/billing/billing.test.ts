/** Histories of subscriptions on the real services, beside the oracle. Set BILLING_HISTORY=seed:number to play one again. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerDatabase } from "../database.ts"
import { hasPython } from "../oracle/ask.ts"
import { connections, realTime } from "../real-time.ts"
import { numbersOf } from "../turns.ts"
import { playAll, told } from "./billing.ts"
import { pinned } from "./pinned.ts"

const COUNT = Number(process.env["BILLING_HISTORIES"] ?? 2_000)
const [seed = "1", number] = (process.env["BILLING_HISTORY"] ?? "1").split(":")
const only = number === undefined ? numbersOf("BILLING_HISTORIES", COUNT) : [Number(number)]

if (!hasPython) {
  process.stderr.write(
    "skipped: histories of billing need python3 3.9 or later with zoneinfo for their oracle, and there is none on this machine\n"
  )
}

layer(connections.pipe(Layer.provide(Layer.provide(layerDatabase, realTime))), { timeout: 60_000 })("histories of subscriptions", (it) => {
  it.effect.skipIf(!hasPython)("those that once went wrong do no more", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* playAll({ seed: 0, count: 0, these: pinned })).map(told), [])
    }), 600_000)

  it.effect.skipIf(!hasPython)(
    `${only.length} of seed ${seed} charge what the oracle says, and every invariant holds`,
    () =>
      Effect.gen(function*() {
        const failures = yield* playAll({ seed: Number(seed), count: COUNT, only })
        assert.deepStrictEqual(failures.slice(0, 3).map(told), [], `${failures.length} failed`)
      }),
    1_800_000
  )
})
