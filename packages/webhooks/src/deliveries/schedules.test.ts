import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { nextAttempt, remaining, schedules } from "./schedules.ts"

const seconds = (option: Option.Option<Duration.Duration>) => Option.getOrNull(Option.map(option, Duration.toSeconds))

describe("nextAttempt", () => {
  it.each(
    [
      ["standard", [30, 30, 30, null, null]],
      ["long", [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null, null]]
    ] as const
  )("of the %s schedule", (schedule, expected) => {
    assert.deepStrictEqual(expected.map((_, failed) => seconds(nextAttempt(schedule, failed + 1))), [...expected])
  })

  it("leaves as much waiting as there is to come", () => {
    assert.deepStrictEqual([1, 2, 3, 4].map((failed) => Duration.toSeconds(remaining("standard", failed))), [90, 60, 30, 0])
    assert.strictEqual(Duration.toSeconds(remaining("long", 9)), 86_400)
  })

  it.effect.each(["standard", "long"] as const)("agrees with an in-process retry of the %s schedule", (schedule) =>
    Effect.gen(function*() {
      const at: Array<number> = []
      const failing = Effect.flatMap(Clock.currentTimeMillis, (millis) => {
        at.push(millis)
        return Effect.fail("down")
      })
      const retrying = yield* Effect.forkChild(Effect.exit(Effect.retry(failing, schedules[schedule])))
      yield* TestClock.adjust("10 days")
      yield* Fiber.join(retrying)
      const computed = [0]
      for (let failed = 1, wait = nextAttempt(schedule, failed); Option.isSome(wait); wait = nextAttempt(schedule, ++failed)) {
        computed.push((computed.at(-1) ?? 0) + Duration.toMillis(wait.value))
      }
      assert.deepStrictEqual(at, computed)
    }))
})
