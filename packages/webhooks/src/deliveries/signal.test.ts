import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { layer as layerFixture } from "../fixture.ts"
import { WorkerClient } from "./connection.ts"
import { DeliverySignal } from "./signal.ts"

const services = layerFixture(layerDatabase)

/** What the database told others, without the name of the sender. */
const told = Effect.gen(function*() {
  const heard = yield* (yield* WorkerClient).listen("svc_webhooks")
  return { next: Effect.map(Queue.take(heard), ({ payload }) => payload.split(" ")[1]?.split(",").sort()) }
})

/** Lets time go on until the fiber ends. The quiet after a notification begins only when the sender knows that it was sent. */
const passTime = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.andThen(
    Effect.repeat(Effect.andThen(TestClock.adjust("1 millis"), TestClock.withLive(Effect.sleep("1 millis"))), {
      until: () => fiber.pollUnsafe() !== undefined
    }),
    Fiber.join(fiber)
  )

layer(services)("the signal", (it) => {
  it.effect("tells other processes at once, and then at most once in 25 ms", () =>
    Effect.gen(function*() {
      const signal = yield* DeliverySignal
      const { next } = yield* told
      signal.queued(["acct_a"])
      assert.deepStrictEqual(yield* next, ["acct_a"])
      for (let n = 0; n < 50; n++) signal.queued(["acct_b", `acct_c${n % 2}`])
      const second = yield* Effect.forkChild(next)
      yield* TestClock.adjust("24 millis")
      assert.isUndefined(second.pollUnsafe())
      assert.deepStrictEqual(yield* passTime(second), ["acct_b", "acct_c0", "acct_c1"])
      signal.queued(Array.from({ length: 201 }, (_, n) => `acct_${n}`))
      assert.deepStrictEqual(yield* passTime(yield* Effect.forkChild(next)), ["*"])
    }))

  it.effect("gathers what its own process queues until it is taken", () =>
    Effect.gen(function*() {
      const signal = yield* DeliverySignal
      yield* signal.take
      const taking = yield* Effect.forkChild(signal.take)
      yield* Effect.yieldNow
      assert.isUndefined(taking.pollUnsafe(), "nothing to take")
      signal.queued(["acct_a"])
      assert.deepStrictEqual((yield* Fiber.join(taking)).accounts, new Set(["acct_a"]))
      signal.queued(["acct_b"])
      signal.wake(["acct_c"])
      assert.deepStrictEqual(yield* signal.take, { accounts: new Set(["acct_b", "acct_c"]), unnamed: false })
      signal.wake()
      assert.deepStrictEqual(yield* signal.take, { accounts: new Set<string>(), unnamed: true })
    }))
})
