/** Timers give way to what somebody waits for, never altogether, and get their places back. */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makePrecedence, MANY, PLACES } from "./precedence.ts"

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

const thread = (utilization: number) => () => ({ active: utilization, idle: 1 - utilization, utilization })

it("leaves less room the more commits each new one meets, and none where it meets many", () => {
  const { begin, counts, end, room } = makePrecedence(thread(1))
  const before = counts()
  assert.strictEqual(room(before), 1, "nobody waits")
  begin()
  assert.strictEqual(room(before), 1, "one alone meets nobody")
  for (let n = 1; n < 5; n++) begin()
  assert.strictEqual(room(before), 1 - 2 / MANY, "0, 1, 2, 3 and 4")
  const later = counts()
  assert.strictEqual(room(later), 1 - 5 / MANY, "while nobody comes, by how many wait")
  for (let n = 5; n < 40; n++) begin()
  assert.strictEqual(room(later), 0)
  for (let n = 0; n < 40; n++) end()
  assert.strictEqual(room(later), 0, "by all that came since")
  assert.strictEqual(room(counts()), 1)
})

it("leaves all the room while the thread has time to spare: what is waited for then is not the thread", () => {
  const { begin, counts, room } = makePrecedence(thread(0.5))
  const before = counts()
  for (let n = 0; n < 40; n++) begin()
  assert.strictEqual(room(before), 1)
})
