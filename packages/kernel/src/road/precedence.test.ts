/** Timers give way to what somebody waits for, never altogether, and get their places back. */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makePrecedence, PLACES } from "./precedence.ts"

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
