import { assert, describe, layer } from "@effect/vitest"
import { LEASE_SECONDS } from "@svc/kernel/resource/idempotency"
import { Effect, Layer } from "effect"
import { layerDatabase } from "../database.ts"
import * as inside from "../kills/inside.ts"
import { IN_TURN, isTurnOf } from "../turns.ts"
import { SENDERS, storm } from "./storm.ts"

const KEYS = Number(process.env["STORM_KEYS"] ?? 10)

const database = inside.layer.pipe(Layer.provideMerge(layerDatabase))

describe.skipIf(!isTurnOf("storm"))(IN_TURN, () => {
  layer(database, { timeout: 60_000, excludeTestServices: true })("one key", (it) => {
    it.effect(`sent by ${SENDERS} at once, with replies lost, has one effect and one answer`, () =>
      Effect.gen(function*() {
        const report = yield* storm("test", KEYS)
        assert.deepStrictEqual(report.problems, [])
        // Otherwise it was no storm.
        assert.isAbove(report.lost, KEYS)
        assert.isAbove(report.sent, KEYS * SENDERS)
        // A sender that hung up must not leave the key locked for the rest.
        assert.isBelow(report.longest, LEASE_SECONDS * 1000)
      }), 180_000)
  })
})
