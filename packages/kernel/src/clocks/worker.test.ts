import { assert, layer } from "@effect/vitest"
import { realTime } from "@svc/testkit/real-time"
import { road } from "@svc/testkit/road"
import { Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Database from "../database/client.ts"
import type { TimerHandler } from "../parts/part.ts"
import { newKind, rowsOf, withHandlers } from "../timers/timer-fixture.ts"
import { makeWakeUp } from "../timers/timers.ts"
import { now } from "../values/time.ts"
import { accountTime, ClockWake } from "./account-time.ts"
import { Agendas } from "./agenda.ts"
import { LEASE_MILLIS } from "./drive.ts"
import { clocked, commits, recorder, send, setTimer, standing } from "./fixture.ts"
import { clockRows } from "./rows.ts"
import { ClockWorker } from "./worker.ts"

const virtual = Effect.provide(TestClock.layer(), { local: true })

/** A process that moves clocks, with connections of its own, until its scope closes; `wake` tells it of an account. */
const start = Effect.fnUntraced(function*(handlers: Readonly<Record<string, TimerHandler>>) {
  const wakeUp = makeWakeUp<string>()
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  yield* Layer.buildWithScope(
    Layer.fresh(ClockWorker.layer.pipe(Layer.provide(Agendas.layer), Layer.provide(Database.layer.pipe(Layer.provide(realTime))))),
    scope
  ).pipe(
    withHandlers(handlers),
    Effect.provideService(ClockWake, wakeUp)
  )
  return { wake: wakeUp.wake, stop: Scope.close(scope, Exit.void) }
})

const arrived = (account: string) => Effect.repeat(standing(account), { until: (clock) => clock?.to === null && !clock.taken })

layer(road, { excludeTestServices: true })("the worker", (it) => {
  it.effect("moves a clock as soon as it is told that it was sent somewhere", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      const { wake } = yield* start({ [kind]: handler })
      yield* setTimer(account, kind, "r", 5)
      yield* send(account, 10)
      wake(account)
      assert.deepStrictEqual(yield* arrived(account), { present: 10, to: null, taken: false })
      assert.deepStrictEqual(yield* ran, [["r", 5]])
    }).pipe(Effect.scoped, virtual))

  it.effect("finds by its poll what nobody told it", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      yield* start({ [kind]: handler })
      yield* setTimer(account, kind, "r", 5)
      yield* send(account, 10)
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("500 millis"), standing(account)), { until: (clock) => clock?.to === null })
      assert.deepStrictEqual(yield* ran, [["r", 5]])
    }).pipe(Effect.scoped, virtual))

  it.effect("takes up what a dead process left half done, when its lease is over: on its way, or where it stood", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }, rows] = [newKind(), yield* recorder, yield* clockRows]
      const [under_way, standing_still] = [yield* clocked, yield* clocked]
      yield* setTimer(under_way, kind, "on the way", 5)
      yield* setTimer(standing_still, kind, "at present", 0)
      yield* send(under_way, 10)
      for (const account_id of [under_way, standing_still]) yield* rows.take({ account_id, token: "dead" }, 0, LEASE_MILLIS)
      const { wake } = yield* start({ [kind]: handler })
      for (const account of [under_way, standing_still]) wake(account)
      yield* TestClock.adjust(LEASE_MILLIS - 1)
      assert.deepStrictEqual(yield* ran, [])
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("500 millis"), Effect.all([standing(under_way), standing(standing_still)])), {
        until: (clocks) => clocks.every((clock) => clock?.taken === false)
      })
      assert.sameDeepMembers([...(yield* ran)], [["on the way", 5], ["at present", 0]])
      assert.deepStrictEqual([(yield* standing(under_way))?.present, (yield* standing(standing_still))?.present], [10, 0])
    }).pipe(Effect.scoped, virtual))

  it.effect("runs at once what somebody sets for the moment at which the account stands", () =>
    Effect.gen(function*() {
      const [kind, account, commit, { handler, ran }] = [newKind(), yield* clocked, yield* commits, yield* recorder]
      yield* send(account, 7)
      const { stop } = yield* start({})
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("500 millis"), standing(account)), {
        until: (clock) => clock?.present === 7 && clock.to === null
      })
      yield* stop
      const { wake } = yield* start({ [kind]: handler })
      const { inTimeOf } = yield* Effect.provideService(accountTime, ClockWake, { wake, subscribe: () => () => true })
      yield* inTimeOf(account)(Effect.flatMap(now, (due_at) => commit(account, { set: [{ kind, resource_id: "at once", due_at }] })))
      yield* Effect.repeat(rowsOf(kind), { until: (rows) => rows.length === 0 })
      assert.deepStrictEqual([yield* ran, yield* arrived(account)], [[["at once", 7]], { present: 7, to: null, taken: false }])
    }).pipe(Effect.scoped, virtual))

  it.effect("ends when what is due at the moment has run, and leaves the rest to another process", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      const [begun, open] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      for (const [resource, second] of [["now", 5], ["later", 6]] as const) yield* setTimer(account, kind, resource, second)
      const first = yield* start({
        [kind]: (id, resource) =>
          Effect.andThen(Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(open)), handler(id, resource))
      })
      yield* send(account, 10)
      first.wake(account)
      yield* Deferred.await(begun)
      const stopping = yield* Effect.forkChild(first.stop, { startImmediately: true })
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(stopping)
      assert.deepStrictEqual([yield* ran, yield* standing(account)], [[["now", 5]], { present: 5, to: 10, taken: false }])
      const second = yield* start({ [kind]: handler })
      second.wake(account)
      yield* arrived(account)
      assert.deepStrictEqual(yield* ran, [["now", 5], ["later", 6]])
    }).pipe(Effect.scoped, virtual))

  it.effect("gives each its turn, also when some never arrive", () =>
    Effect.gen(function*() {
      const [kind, commit, { handler, ran }] = [newKind(), yield* commits, yield* recorder]
      // Each run sets the next one for the same moment, and takes a second.
      const endless: TimerHandler = (id, resource_id) =>
        resource_id === "endless"
          ? Effect.andThen(
            TestClock.adjust("1 second"),
            Effect.flatMap(now, (due_at) => commit(id, { set: [{ kind, resource_id, due_at }] }))
          )
          : handler(id, resource_id)
      const accounts = yield* Effect.forEach(Array.from({ length: 8 }), () => clocked)
      const last = yield* clocked
      for (const account of accounts) yield* setTimer(account, kind, "endless", 5)
      yield* setTimer(last, kind, "one", 5)
      for (const account of [...accounts, last]) yield* send(account, 10)
      const { wake } = yield* start({ [kind]: endless })
      for (const account of [...accounts, last]) wake(account)
      assert.deepStrictEqual(yield* arrived(last), { present: 10, to: null, taken: false })
      assert.deepStrictEqual(yield* ran, [["one", 5]])
    }).pipe(Effect.scoped, virtual))

  it.effect("does not wait for ever when it stops", () =>
    Effect.gen(function*() {
      const [kind, account] = [newKind(), yield* clocked]
      const begun = yield* Deferred.make<void>()
      yield* setTimer(account, kind, "stuck", 5)
      const { stop, wake } = yield* start({ [kind]: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never) })
      yield* send(account, 10)
      wake(account)
      yield* Deferred.await(begun)
      const stopping = yield* Effect.forkChild(stop)
      yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => stopping.pollUnsafe() !== undefined })
      assert.deepStrictEqual(yield* standing(account), { present: 5, to: 10, taken: false })
    }).pipe(Effect.scoped, virtual))
})

layer(road, { excludeTestServices: true })("two workers", (it) => {
  it.effect("move each clock once, many of them at the same time", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      const accounts = yield* Effect.forEach(Array.from({ length: 12 }), () => clocked)
      for (const account of accounts) {
        for (let n = 1; n <= 5; n++) yield* setTimer(account, kind, `${account} ${n}`, n)
        yield* send(account, 10)
      }
      const workers = [yield* start({ [kind]: handler }), yield* start({ [kind]: handler })]
      for (const { wake } of workers) accounts.forEach(wake)
      yield* Effect.forEach(accounts, arrived)
      const all = yield* ran
      for (const account of accounts) {
        const own = all.filter(([resource]) => resource.startsWith(account))
        assert.deepStrictEqual(own, Array.from({ length: 5 }, (_, n) => [`${account} ${n + 1}`, n + 1]), account)
      }
    }).pipe(Effect.scoped, virtual), 180_000)
})
