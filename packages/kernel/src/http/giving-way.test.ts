import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { makeGiveWay, requests, untilQuiet } from "./giving-way.ts"
import { makePlaces } from "./places.ts"

/** Milliseconds that so many slices of work take, which does nothing but give way. */
const took = Effect.fnUntraced(function*(slices: number, giveWay: Effect.Effect<void> = makeGiveWay()) {
  const begun = performance.now()
  for (let n = 0; n < slices; n++) yield* giveWay
  return performance.now() - begun
})

/** While somebody else waits for an answer that is little. */
const beside = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(Effect.sync(() => requests.unanswered++), () => work, () => Effect.sync(() => requests.unanswered--))

const SLICES = 50
/** Two milliseconds each, by timers that may fire a little early; late ones only make it more. */
const PAUSES = SLICES * 1.5

describe("work that gives way", () => {
  it.live("pauses after each slice while a request waits that asks for little, all such work in one line", () =>
    Effect.gen(function*() {
      assert.isAbove(yield* beside(took(SLICES)), PAUSES)
      const together = yield* beside(Effect.all([took(SLICES), took(SLICES)], { concurrency: 2 }))
      assert.isAbove(Math.max(...together), 2 * PAUSES)
    }))

  it.live("waits for a quiet moment, and not for ever", () =>
    Effect.gen(function*() {
      yield* untilQuiet(Duration.infinity)
      const [waited] = yield* Effect.timed(beside(untilQuiet(Duration.millis(40))))
      assert.isAtLeast(Duration.toMillis(waited), 38)
      const end = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(beside(Deferred.await(end)), { startImmediately: true })
      const waiting = yield* Effect.forkChild(untilQuiet(Duration.minutes(1)), { startImmediately: true })
      // Nothing may happen in this time: a slow machine can only let a fault pass.
      yield* Effect.sleep(10)
      assert.isUndefined(waiting.pollUnsafe())
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(other)
      yield* Fiber.join(waiting)
    }))

  it.live("does not pause for those who ask for as much, nor longer than it may", () =>
    Effect.gen(function*() {
      // Pauses would take minutes, which the test does not have.
      const slices = 200_000
      const { take } = makePlaces({ what: "checks", atOnce: 1, waiting: 1, ofAccount: 1, retryAfter: 1 })
      const end = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(beside(take("a", Deferred.await(end))), { startImmediately: true })
      yield* took(slices)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(other)
      assert.deepStrictEqual(requests, { unanswered: 0, heavy: 0 })
      yield* beside(took(slices, makeGiveWay(Duration.millis(100))))
    }))
})
