import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerDatabase } from "../database.ts"
import { IN_TURN, isTurnOf } from "../turns.ts"
import { due } from "./due.ts"
import * as inside from "./inside.ts"

const [TIMERS, KILLS] = [640, 4]

describe.skipIf(!isTurnOf("due"))(IN_TURN, () => {
  layer(inside.layer.pipe(Layer.provideMerge(layerDatabase)), { timeout: 60_000, excludeTestServices: true })(
    "timers that fall due",
    (it) => {
      it.effect(`while two servers are killed ${KILLS} times each run once`, () =>
        Effect.gen(function*() {
          const report = yield* due("test", TIMERS, KILLS)
          assert.deepStrictEqual(report.problems, [])
          assert.strictEqual(report.killed, 2 * KILLS)
          // Otherwise hardly anything was killed in the middle of its work.
          assert.isAtLeast(report.meanwhile, KILLS)
        }), 1_200_000)
    }
  )
})
