/** Timers give way to what somebody waits for, never altogether, and get their places back. */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { LONG_WAIT, makePrecedence, PLACES } from "./precedence.ts"

it.effect("gives way, but never altogether, and takes its places back", () =>
  Effect.gen(function*() {
    const { begin, end, inPlace } = makePrecedence()
    const waitedFor = <A>(self: Effect.Effect<A>) => Effect.acquireUseRelease(Effect.sync(begin), () => self, () => Effect.sync(end))
    const answered = yield* Deferred.make<void>()
    const handlersAtOnce = Effect.gen(function*() {
      let running = 0
      const handlers = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: PLACES + 5 }), () => inPlace(Effect.andThen(Effect.sync(() => running++), Effect.never)), {
          concurrency: "unbounded"
        })
      )
      for (let n = 0; n < 100; n++) yield* Effect.yieldNow
      yield* Fiber.interrupt(handlers)
      return running
    })
    assert.strictEqual(yield* handlersAtOnce, PLACES)
    const one = yield* Effect.forkChild(waitedFor(Deferred.await(answered)), { startImmediately: true })
    assert.strictEqual(yield* handlersAtOnce, PLACES - 2)
    const many = yield* Effect.forkChild(
      Effect.forEach(Array.from({ length: 50 }), () => waitedFor(Deferred.await(answered)), { concurrency: "unbounded" }),
      { startImmediately: true }
    )
    assert.strictEqual(yield* handlersAtOnce, 4)
    yield* Fiber.interrupt(one)
    yield* Deferred.succeed(answered, undefined)
    yield* Fiber.join(many)
    assert.strictEqual(yield* handlersAtOnce, PLACES)
  }))

/** A process whose thread works for that share of the time, and whose time is moved by the test. */
const process = (utilization: number) => {
  const clock = { millis: 1_000 }
  const precedence = makePrecedence({
    millis: () => clock.millis,
    thread: () => ({ active: utilization, idle: 1 - utilization, utilization })
  })
  return { ...precedence, pass: (millis: number) => (clock.millis += millis) }
}

it("leaves less room the longer commits wait, and none where they wait long", () => {
  const { begin, counts, end, pass, room } = process(1)
  const before = counts()
  assert.strictEqual(room(before), 1, "nobody waits")
  for (let n = 0; n < 4; n++) begin()
  assert.strictEqual(room(before), 1, "nobody has waited yet")
  pass(LONG_WAIT / 4)
  assert.strictEqual(room(before), 3 / 4, "all four for a quarter of a long wait")
  for (let n = 0; n < 4; n++) end()
  assert.strictEqual(room(before), 3 / 4, "and no longer, once they ended")
  for (let n = 0; n < 4; n++) begin()
  pass(LONG_WAIT * 3 / 4)
  for (let n = 0; n < 4; n++) end()
  assert.strictEqual(room(before), 1 / 2, "the average of a quarter and three quarters")
  const later = counts()
  for (let n = 0; n < 40; n++) begin()
  pass(LONG_WAIT)
  assert.strictEqual(room(later), 0)
  end()
  assert.strictEqual(room(later), 0, "39 that still wait say more than one that ended")
  for (let n = 1; n < 40; n++) end()
  assert.strictEqual(room(later), 0, "by all that waited since")
  assert.strictEqual(room(counts()), 1)
})

it("does not count how many wait, where each waits a short time", () => {
  const { begin, counts, end, pass, room } = process(1)
  const before = counts()
  for (let round = 0; round < 5; round++) {
    for (let n = 0; n < 40; n++) begin()
    pass(LONG_WAIT / 10)
    for (let n = 0; n < 40; n++) end()
  }
  assert.closeTo(room(before), 9 / 10, 1e-9)
})

it("leaves all the room while the thread has time to spare: what is waited for then is not the thread", () => {
  const { begin, counts, pass, room } = process(0.5)
  const before = counts()
  for (let n = 0; n < 40; n++) begin()
  pass(10 * LONG_WAIT)
  assert.strictEqual(room(before), 1)
})
