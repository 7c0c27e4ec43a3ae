import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerDatabase } from "../../database.ts"
import * as inside from "../../kills/inside.ts"
import { IN_TURN, isTurnOf } from "../../turns.ts"
import { spending } from "./spending.ts"

const KILLS = Number(process.env["SPENDING_KILLS"] ?? 6)

describe.skipIf(!isTurnOf("spending"))(IN_TURN, () => {
  layer(inside.layer.pipe(Layer.provideMerge(layerDatabase)), { timeout: 60_000, excludeTestServices: true })(
    "64 agents and a storm of retries",
    (it) => {
      it.effect(`spend what they are billed and never more than they may, while ${KILLS} servers are killed`, () =>
        Effect.gen(function*() {
          const report = yield* spending({ seed: process.env["SPENDING_SEED"] ?? "test", kills: KILLS, stormed: 10 + KILLS, calls: 12 })
          if (process.env["SPENDING_TELL"] !== undefined) console.log(report)
          assert.deepStrictEqual(report.problems.slice(0, 20), [], `${report.problems.length}`)
          assert.strictEqual(report.killed, KILLS)
          // Otherwise nothing was killed in the middle of its work, nothing was looked at while it moved, and some level was never met.
          assert.isAbove(report.lost, 0)
          assert.isAbove(report.samples, 20)
          assert.deepStrictEqual(report.levels, [1, 2, 3])
        }), 1_200_000)
    }
  )
})
