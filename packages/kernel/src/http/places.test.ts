import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { makePlaces } from "./places.ts"

const options = { what: "exports", atOnce: 2, waiting: 2, ofAccount: 3, retryAfter: 7 }

/** Work that lasts until it is let go, and says who is at work. */
const makeWork = Effect.gen(function*() {
  const end = yield* Deferred.make<void>()
  const working: Array<string> = []
  let most = 0
  const of = (name: string) =>
    Effect.suspend(() => {
      working.push(name)
      most = Math.max(most, working.length)
      return Effect.ensuring(Deferred.await(end), Effect.sync(() => working.splice(working.indexOf(name), 1)))
    })
  return { end: Deferred.succeed(end, undefined), most: () => most, of, working }
})

describe("places", () => {
  it.effect("are as many as there are, an account's one after another; who finds none is refused at once", () =>
    Effect.gen(function*() {
      const { take } = makePlaces(options)
      const work = yield* makeWork
      const begin = (account: string, name: string) => Effect.forkChild(take(account, work.of(name)), { startImmediately: true })
      const begun = [yield* begin("a", "a1"), yield* begin("a", "a2"), yield* begin("b", "b1"), yield* begin("c", "c1")]
      assert.deepStrictEqual(work.working, ["a1", "b1"])
      const refused = yield* Effect.flip(take("d", work.of("d1")))
      assert.deepStrictEqual([refused._tag, refused.details], ["RateLimited", { retry_after: 7 }])
      assert.include(refused.message, "Too many exports at one time: all places are taken. Wait 7 s")
      yield* work.end
      yield* Effect.forEach(begun, Fiber.join)
      assert.strictEqual(work.most(), 2)
      // All of them are free again.
      yield* Effect.all(["a", "b", "c", "d"].map((account) => take(account, Effect.void)), { concurrency: "unbounded" })
    }))

  it.effect("leave room for others, however much one account asks for", () =>
    Effect.gen(function*() {
      const { take } = makePlaces({ ...options, waiting: 10 })
      const work = yield* makeWork
      const begin = (account: string, name: string) => Effect.forkChild(take(account, work.of(name)), { startImmediately: true })
      for (const name of ["a1", "a2", "a3"]) yield* begin("a", name)
      assert.include((yield* Effect.flip(take("a", Effect.void))).message, "an account may have 3")
      yield* begin("b", "b1")
      assert.deepStrictEqual(work.working, ["a1", "b1"])
    }))

  it.effect("are free again after work that failed, was interrupted, or waited for its turn in vain", () =>
    Effect.gen(function*() {
      const { take } = makePlaces({ ...options, ofAccount: 2 })
      assert.strictEqual(yield* Effect.flip(take("a", Effect.fail("no"))), "no")
      const working = yield* Effect.forkChild(take("a", Effect.never), { startImmediately: true })
      const waiting = yield* Effect.forkChild(take("a", Effect.never), { startImmediately: true })
      assert.strictEqual((yield* Effect.exit(take("a", Effect.void)))._tag, "Failure")
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(working)
      for (let n = 0; n < 10; n++) yield* take("a", Effect.void)
    }))

  it.effect("are kept as long as a scope lasts", () =>
    Effect.gen(function*() {
      const { keep } = makePlaces({ ...options, atOnce: 2, waiting: 0, ofAccount: 1 })
      const [one, other] = [yield* Scope.make(), yield* Scope.make()]
      yield* Scope.provide(keep("a"), one)
      assert.include((yield* Effect.flip(Effect.scoped(keep("a")))).message, "the account has one under way")
      yield* Scope.provide(keep("b"), other)
      assert.include((yield* Effect.flip(Effect.scoped(keep("c")))).message, "all places are taken")
      yield* Scope.close(one, Exit.void)
      yield* Effect.scoped(keep("a"))
      yield* Effect.scoped(keep("c"))
      yield* Scope.close(other, Exit.void)
    }))
})
