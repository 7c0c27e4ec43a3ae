import { assert, layer } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import { layerDatabase } from "../database.ts"
import { connections, realTime } from "../real-time.ts"
import { numbersOf } from "../turns.ts"
import { playAll } from "./lost-replies.ts"

/** Histories of one run of the tests; `npm run prove` plays more. `LOST_REPLY=<number>` plays one again. */
const numbers = process.env["LOST_REPLY"] === undefined
  ? numbersOf("LOST_REPLIES", 500)
  : [Number(process.env["LOST_REPLY"])]

const PER_TEST = 125

layer(connections.pipe(Layer.provide(Layer.provide(layerDatabase, realTime))), { timeout: 60_000 })("lost replies", (it) => {
  for (let at = 0; at < numbers.length; at += PER_TEST) {
    const some = numbers.slice(at, at + PER_TEST).map((number) => ({ seed: `test-${number}`, number }))
    it.effect(
      `${some[0]?.seed} to ${some.at(-1)?.seed} cost nothing twice, and what was paid for is to be had`,
      () =>
        Effect.gen(function*() {
          yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00.000Z"))
          const { outcomes, problems } = yield* playAll(some)
          const wrong = outcomes.filter((one) => one.problems.length > 0).map(({ crashes, plan, problems }) =>
            `${JSON.stringify(plan)}, ${crashes} crashes: ${problems.join("; ")}`
          )
          assert.deepStrictEqual(wrong, [], "LOST_REPLY=<number> npm test -- packages/testkit/src/lost-replies plays one again")
          assert.deepStrictEqual(problems, [])
        }).pipe(Effect.provideService(References.MinimumLogLevel, process.env["LOST_REPLY"] === undefined ? "Fatal" : "Error")),
      300_000
    )
  }
})
