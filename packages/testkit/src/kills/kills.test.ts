import { assert, describe, layer } from "@effect/vitest"
import { failPoints } from "@svc/server/packages"
import { Effect, Layer } from "effect"
import { layerDatabase } from "../database.ts"
import { IN_TURN, isTurnOf } from "../turns.ts"
import * as inside from "./inside.ts"
import { kills } from "./kills.ts"

const KILLS = Number(process.env["KILLS"] ?? 30)

const database = inside.layer.pipe(Layer.provideMerge(layerDatabase))

describe.skipIf(!isTurnOf("kills"))(IN_TURN, () => {
  layer(database, { timeout: 60_000, excludeTestServices: true })("servers that are killed", (it) => {
    it.effect(`${KILLS} times, at every fail point and at any moment, lose nothing and do nothing twice`, () =>
      Effect.gen(function*() {
        const report = yield* kills("test", KILLS)
        assert.deepStrictEqual(report.problems, [])
        assert.strictEqual(report.kills.length, KILLS)
        if (KILLS >= failPoints.length) {
          const reached = new Set(report.kills.map((name) => name.split(":")[0]))
          assert.deepStrictEqual(failPoints.filter((point) => !reached.has(point)), [])
          assert.isAbove(report.renewed, 0)
          assert.isAbove(report.changed, 0)
        }
        // Otherwise nothing was killed in the middle of its work.
        assert.isAbove(report.lost, 0)
        assert.isAbove(report.repeated, 0)
      }), 1_200_000)
  })
})
