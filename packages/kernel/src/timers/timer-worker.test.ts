import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Queue, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../database/client.ts"
import type { TimerHandler } from "../parts/part.ts"
import { PLACES } from "../road/precedence.ts"
import { newKind, rowsOf, rowsWhen, set, withHandlers } from "./timer-fixture.ts"
import { CLAIM_LOCK, LEASE_MILLIS, timerRows } from "./timer-rows.ts"
import { makeWakeUp, TimerWake, TimerWorker } from "./timers.ts"

// The connections live by the machine's clock, each test by its own.
const services = Layer.provideMerge(Database.layer, layerDatabase)
const clocked = Effect.provide(TestClock.layer(), { local: true })

/** A worker that runs until the scope closes. */
const worker = (handlers: Readonly<Record<string, TimerHandler>>) =>
  Layer.build(Layer.fresh(TimerWorker.layer)).pipe(withHandlers(handlers))

/** Something that happens, and can be waited for. */
const signal = Effect.gen(function*() {
  const happened = yield* Queue.unbounded<string>()
  return { tell: (what: string) => Effect.asVoid(Queue.offer(happened, what)), next: Queue.take(happened) }
})

/** Lets a test wait until the worker sleeps for this long. */
const sleepOf = Effect.fnUntraced(function*(millis: number) {
  const clock = yield* Clock.Clock
  const asleep = yield* Deferred.make<void>()
  const watched = Effect.provideService(Clock.Clock, {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
    currentTimeMillis: clock.currentTimeMillis,
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) =>
      Effect.suspend(() => {
        if (Duration.toMillis(duration) === millis) Deferred.doneUnsafe(asleep, Effect.void)
        return clock.sleep(duration)
      })
  })
  return { asleep: Deferred.await(asleep), watched }
})

layer(services, { excludeTestServices: true })("the worker", (it) => {
  it.effect("runs what is due when it starts, and removes it", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }] = [newKind(), yield* signal]
      yield* set(kind, "r", 0)
      yield* worker({ [kind]: (_, resource) => tell(resource) })
      assert.strictEqual(yield* next, "r")
      yield* rowsWhen(kind, (rows) => rows.length === 0)
    }).pipe(Effect.scoped, clocked))

  it.effect("wakes when the next timer is due", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }, { asleep, watched }] = [newKind(), yield* signal, yield* sleepOf(200)]
      yield* set(kind, "soon", 0.2)
      yield* watched(worker({ [kind]: (_, resource) => tell(resource) }))
      yield* asleep
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(yield* next, "soon")
    }).pipe(Effect.scoped, clocked))

  it.effect("finds by its poll what nobody told it", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }, { asleep, watched }] = [newKind(), yield* signal, yield* sleepOf(500)]
      yield* watched(worker({ [kind]: (_, resource) => tell(resource) }))
      yield* asleep
      yield* set(kind, "unannounced", 0)
      yield* TestClock.adjust("500 millis")
      assert.strictEqual(yield* next, "unannounced")
    }).pipe(Effect.scoped, clocked))

  it.effect("only looks, and claims nothing, while nothing is due", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }, { asleep, watched }, sql] = [newKind(), yield* signal, yield* sleepOf(200), yield* SqlClient.SqlClient]
      yield* set(kind, "later", 0.2)
      // Whoever claims waits for this lock.
      const [locked, may] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const lock = sql`SELECT pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(may))
      )
      const holder = yield* Effect.forkChild(sql.withTransaction(lock))
      yield* Deferred.await(locked)
      yield* watched(worker({ [kind]: (_, resource) => tell(resource) }))
      yield* asleep
      yield* Deferred.succeed(may, undefined)
      yield* Fiber.join(holder)
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(yield* next, "later")
    }).pipe(Effect.scoped, clocked))

  it.effect("wakes when it is told, at a standing clock", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }, { asleep, watched }] = [newKind(), yield* signal, yield* sleepOf(500)]
      const wakeUp = makeWakeUp()
      yield* watched(worker({ [kind]: (_, resource) => tell(resource) })).pipe(Effect.provideService(TimerWake, wakeUp))
      yield* asleep
      yield* set(kind, "told", 0)
      wakeUp.wake()
      assert.strictEqual(yield* next, "told")
    }).pipe(Effect.scoped, clocked))

  it.effect("puts off what fails, and goes on with the rest", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }] = [newKind(), yield* signal]
      yield* TestClock.setTime(100_000)
      yield* set(kind, "bad", 1)
      yield* set(kind, "good", 2)
      yield* worker({ [kind]: (_, resource) => resource === "bad" ? Effect.fail("refused") : tell(resource) })
      assert.strictEqual(yield* next, "good")
      const [row] = yield* rowsWhen(kind, (rows) => rows.length === 1 && rows[0]?.attempts === 1)
      const wait = Date.parse(row?.due_at ?? "") - 100_000
      assert.isTrue(wait >= 800 && wait <= 1_200, `${wait} ms`)
      assert.isNull(row?.lease_token)
    }).pipe(Effect.scoped, clocked))

  it.effect("stops a handler whose lease is over", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }] = [newKind(), yield* signal]
      yield* set(kind, "stuck", 0)
      yield* worker({ [kind]: (_, resource) => Effect.andThen(tell(resource), Effect.never) })
      yield* next
      yield* TestClock.adjust(LEASE_MILLIS - 1)
      assert.strictEqual((yield* rowsOf(kind))[0]?.attempts, 0)
      yield* TestClock.adjust(1)
      yield* rowsWhen(kind, ([row]) => row?.attempts === 1 && row.lease_token === null)
    }).pipe(Effect.scoped, clocked))

  it.effect("takes up what a dead worker left, when its lease is over", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }] = [newKind(), yield* signal]
      yield* set(kind, "orphan", 0)
      yield* (yield* timerRows).claim({ now: 0, until: 0, kinds: [kind], limit: 1 })
      yield* set(kind, "other", 0)
      yield* worker({ [kind]: (_, resource) => tell(resource) })
      assert.strictEqual(yield* next, "other")
      yield* TestClock.adjust(LEASE_MILLIS)
      assert.strictEqual(yield* next, "orphan")
    }).pipe(Effect.scoped, clocked))

  it.effect("finishes what is under way when it stops, and gives the rest back", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }] = [newKind(), yield* signal]
      const open = yield* Deferred.make<void>()
      for (let n = 0; n < PLACES + 12; n++) yield* set(kind, `r${n}`, 0)
      const scope = yield* Scope.make()
      yield* worker({ [kind]: (_, resource) => Effect.andThen(tell(resource), Deferred.await(open)) }).pipe(Scope.provide(scope))
      for (let n = 0; n < PLACES; n++) yield* next
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(stopping)
      const rows = yield* rowsOf(kind)
      assert.strictEqual(rows.length, 12)
      assert.isTrue(rows.every((row) => row.lease_token === null && row.attempts === 0))
    }).pipe(Effect.scoped, clocked))

  it.effect("does not wait for ever when it stops", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }, { asleep, watched }] = [newKind(), yield* signal, yield* sleepOf(10_000)]
      yield* set(kind, "stuck", 0)
      const scope = yield* Scope.make()
      yield* worker({ [kind]: (_, resource) => Effect.andThen(tell(resource), Effect.never) }).pipe(Scope.provide(scope), watched)
      yield* next
      const stopping = yield* Effect.forkChild(watched(Scope.close(scope, Exit.void)))
      yield* asleep
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(stopping)
      assert.deepStrictEqual(
        (yield* rowsOf(kind)).map(({ attempts, lease_token, resource_id }) => [resource_id, attempts, lease_token]),
        [["stuck", 0, null]]
      )
    }).pipe(Effect.scoped, clocked))
})

layer(services, { excludeTestServices: true })("two workers", (it) => {
  it.effect("run each timer once, and those of one resource one after another", () =>
    Effect.gen(function*() {
      const [first, second] = [newKind(), newKind()]
      const resources = Array.from({ length: 100 }, (_, n) => `r${n}`)
      for (const resource of resources) {
        yield* set(first, resource, 1)
        yield* set(second, resource, 2)
      }
      const ran: Array<string> = []
      const busy = new Set<string>()
      const overlaps: Array<string> = []
      const all = yield* Deferred.make<void>()
      const sql = yield* SqlClient.SqlClient
      const handler = (kind: string): TimerHandler => (_, resource) =>
        Effect.gen(function*() {
          if (busy.has(resource)) overlaps.push(resource)
          busy.add(resource)
          ran.push(`${kind} ${resource}`)
          // Long enough for the other worker to come by.
          yield* Effect.orDie(sql`SELECT pg_sleep(0.002)`)
          busy.delete(resource)
          if (ran.length === 2 * resources.length) yield* Deferred.succeed(all, undefined)
        })
      const handlers = { [first]: handler(first), [second]: handler(second) }
      // Each has its own connections, as two processes have.
      for (const _ of ["one", "other"]) yield* Effect.provide(worker(handlers), yield* Layer.build(Layer.fresh(Database.layer)))
      yield* Deferred.await(all)
      yield* Effect.forEach([first, second], (kind) => rowsWhen(kind, (rows) => rows.length === 0))
      assert.deepStrictEqual(ran.toSorted(), [first, second].flatMap((kind) => resources.map((resource) => `${kind} ${resource}`)).sort())
      assert.deepStrictEqual(overlaps, [])
      for (const resource of resources) assert.isBelow(ran.indexOf(`${first} ${resource}`), ran.indexOf(`${second} ${resource}`))
    }).pipe(Effect.scoped))
})
