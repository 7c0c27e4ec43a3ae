import { assert, describe, it, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Clock, DateTime, Deferred, Duration, Effect, Exit, Fiber, Layer, Queue, Ref, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "./database/client.ts"
import { makeId } from "./ids.ts"
import { GENESIS_HASH } from "./road/chain.ts"
import { Committer } from "./road/committer.ts"
import type { TimerDraft, TimerKey } from "./road/decision.ts"
import { LEASE_MILLIS, timerRows } from "./timer-rows.ts"
import { makeWakeUp, runDue, TimerHandlers, TimerWake, TimerWorker, waitAfter } from "./timers.ts"
import type { TimerHandler } from "./timers.ts"
import { iso, now } from "./time.ts"

// The connections live by the machine's clock, each test by its own.
const database = Layer.provideMerge(Database.layer, layerDatabase)
const services = Layer.provideMerge(Committer.layer, database)
const clocked = Effect.provide(TestClock.layer(), { local: true })

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)

/** A kind that no other test uses, so that tests do not run each other's timers. */
let kinds = 0
const newKind = () => `test.kind_${++kinds}`

const set = Effect.fnUntraced(function*(kind: string, resource_id: string, due: number, account_id = "acct_1") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO timers (account_id, kind, resource_id, due_at, attempts)
    VALUES (${account_id}, ${kind}, ${resource_id}, ${iso(at(due))}::timestamptz, 0)`
})

interface TimerRow {
  readonly resource_id: string
  readonly due_at: string
  readonly attempts: number
  readonly lease_token: string | null
}

const rowsOf = Effect.fnUntraced(function*(kind: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<TimerRow>`SELECT resource_id, due_at, attempts, lease_token FROM timers WHERE kind = ${kind} ORDER BY due_at, resource_id`
})

/** Reads the rows until they are as expected. Each read is a round trip, so the worker gets its turn. */
const rowsWhen = (kind: string, expected: (rows: ReadonlyArray<TimerRow>) => boolean) => Effect.repeat(rowsOf(kind), { until: expected })

const withHandlers = (handlers: Readonly<Record<string, TimerHandler>>) =>
  Effect.provideService(TimerHandlers, new Map(Object.entries(handlers)))

/** A worker that runs until the scope closes. */
const worker = (handlers: Readonly<Record<string, TimerHandler>>) =>
  Layer.build(Layer.fresh(TimerWorker.layer)).pipe(withHandlers(handlers))

/** Records what ran, and the second at which it ran. */
const recorder = Effect.gen(function*() {
  const ran = yield* Ref.make<ReadonlyArray<readonly [string, number]>>([])
  const handler: TimerHandler = (_account, resource) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) => Ref.update(ran, (all) => [...all, [resource, millis / 1_000] as const]))
  return { handler, ran: Ref.get(ran) }
})

const openAccount = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const id = makeId("acct", 0)
  const moment = iso(yield* now)
  yield* sql`INSERT INTO accounts (id, name, status, sandbox, capabilities, restrictions, settings, created_at, updated_at, version)
    VALUES (${id}, 'Acme', 'active', true, '[]'::jsonb, '[]'::jsonb, '{}'::jsonb, ${moment}::timestamptz, ${moment}::timestamptz, 1)`
  yield* sql`INSERT INTO account_heads (account_id, ledger_seq, ledger_hash, event_seq) VALUES (${id}, 0, ${GENESIS_HASH}, 0)`
  return id
})

/** Commits of timers alone. The handlers that use them keep the clock of whoever runs them. */
const commits = Effect.map(Committer, (committer) =>
  Effect.fnUntraced(function*(account_id: string, timers: { readonly set?: ReadonlyArray<TimerDraft>; readonly clear?: ReadonlyArray<TimerKey> }) {
    yield* committer.commit({ account_id, at: yield* now, cause: "test", writes: [], entries: [], events: [], set: timers.set ?? [], clear: timers.clear ?? [] })
  }))

describe("the wait after failures", () => {
  it.effect.each([[1, 1], [2, 2], [3, 4], [8, 128], [10, 512], [11, 600], [40, 600]] as const)("%i is about %i s", ([failures, seconds]) =>
    Effect.gen(function*() {
      const waits = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.map(waitAfter(failures), Duration.toSeconds))
      for (const wait of waits) assert.isTrue(wait >= seconds * 0.8 && wait <= seconds * 1.2, `${wait} s`)
      assert.isAbove(new Set(waits).size, 40, "jittered")
    }))
})

const Plan = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))).check(Schema.isBetweenLength(1, 12))

layer(services, { excludeTestServices: true })("runDue", (it) => {
  it.effect.prop("runs what is due in the order of time, each at its time", [Plan], ([dues]) =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      for (const [n, due] of dues.entries()) yield* set(kind, `r${String(n).padStart(2, "0")}`, due)
      const due = dues.map((second, n) => [`r${String(n).padStart(2, "0")}`, second] as const).filter(([, second]) => second <= 10)
      assert.strictEqual(yield* withHandlers({ [kind]: handler })(runDue(at(10))), due.length)
      assert.deepStrictEqual(yield* ran, due.toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)))
      assert.strictEqual((yield* rowsOf(kind)).length, dues.length - due.length)
    }).pipe(clocked), { arbitrary: { runs: 40 } })

  it.effect("never shows a handler a moment before the present", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      yield* TestClock.setTime(100_000)
      yield* set(kind, "overdue", 40)
      yield* set(kind, "ahead", 140)
      yield* withHandlers({ [kind]: handler })(runDue(at(200)))
      assert.deepStrictEqual(yield* ran, [["overdue", 100], ["ahead", 140]])
    }).pipe(clocked))

  it.effect("runs what handlers set meanwhile, in its place", () =>
    Effect.gen(function*() {
      const [kind, account, commit] = [newKind(), yield* openAccount, yield* commits]
      const seen: Array<string> = []
      const handler: TimerHandler = (_, resource) =>
        Effect.gen(function*() {
          seen.push(resource)
          if (resource === "a") yield* commit(account, { set: [{ kind, resource_id: "b", due_at: at(20) }], clear: [{ kind, resource_id: "a" }] })
          // It moves itself, twice.
          if (resource === "b" && seen.length < 5) yield* commit(account, { set: [{ kind, resource_id: "b", due_at: DateTime.add(yield* now, { seconds: 20 }) }] })
        })
      yield* set(kind, "a", 10, account)
      yield* set(kind, "c", 30, account)
      assert.strictEqual(yield* withHandlers({ [kind]: handler })(runDue(at(60))), 5)
      assert.deepStrictEqual(seen, ["a", "b", "c", "b", "b"])
      assert.deepStrictEqual([...(yield* rowsOf(kind))], [])
    }).pipe(clocked))

  it.effect("leaves a timer where its handler's commit put it", () =>
    Effect.gen(function*() {
      const [kind, account, commit] = [newKind(), yield* openAccount, yield* commits]
      yield* set(kind, "renewal", 10, account)
      const handler: TimerHandler = () => commit(account, { set: [{ kind, resource_id: "renewal", due_at: at(1_000) }] })
      assert.strictEqual(yield* withHandlers({ [kind]: handler })(runDue(at(60))), 1)
      assert.deepStrictEqual([...(yield* rowsOf(kind))], [{ resource_id: "renewal", due_at: iso(at(1_000)), attempts: 0, lease_token: null }])
    }).pipe(clocked))

  it.effect("tries a failed timer again, ever later, until it succeeds", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      yield* set(kind, "r", 10)
      const failing: TimerHandler = (account, resource) =>
        Effect.flatMap(Effect.andThen(handler(account, resource), ran), (all) =>
          all.length === 1 ? Effect.fail("refused") : all.length === 2 ? Effect.die("broken") : all.length === 3 ? Effect.interrupt : Effect.void)
      assert.strictEqual(yield* withHandlers({ [kind]: failing })(runDue(at(1_000))), 4)
      const times = (yield* ran).map(([, second]) => second)
      const waits = times.slice(1).map((time, n) => time - (times[n] ?? 0))
      for (const [n, wait] of waits.entries()) assert.isTrue(wait >= 0.8 * 2 ** n && wait <= 1.2 * 2 ** n, `wait ${n} was ${wait} s`)
      assert.strictEqual((yield* rowsOf(kind)).length, 0)
    }).pipe(clocked))

  it.effect("keeps to one account when told so, and to kinds that have a handler", () =>
    Effect.gen(function*() {
      const [kind, other, { handler, ran }] = [newKind(), newKind(), yield* recorder]
      yield* set(kind, "mine", 1, "acct_mine")
      yield* set(kind, "theirs", 1, "acct_theirs")
      yield* set(other, "unknown", 1, "acct_mine")
      assert.strictEqual(yield* withHandlers({ [kind]: handler })(runDue(at(10), { account_id: "acct_mine" })), 1)
      assert.deepStrictEqual(yield* ran, [["mine", 1]])
      assert.deepStrictEqual([(yield* rowsOf(kind)).length, (yield* rowsOf(other)).length], [1, 1])
    }).pipe(clocked))

  it.effect("waits for what another worker has leased", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      yield* set(kind, "r", 1)
      const elsewhere = yield* timerRows
      const [leased] = yield* elsewhere.claim({ now: 0, until: 1_000, kinds: [kind], limit: 1 })
      if (leased === undefined) return assert.fail("nothing to lease")
      const running = yield* Effect.forkChild(withHandlers({ [kind]: handler })(runDue(at(1))), { startImmediately: true })
      yield* rowsOf(kind)
      assert.isUndefined(running.pollUnsafe())
      yield* elsewhere.finish(leased)
      yield* Effect.repeat(TestClock.adjust("500 millis"), { until: () => running.pollUnsafe() !== undefined })
      assert.strictEqual(yield* Fiber.join(running), 0)
      assert.deepStrictEqual(yield* ran, [])
    }).pipe(clocked))
})

layer(services, { excludeTestServices: true })("leases", (it) => {
  it.effect("are over after 30 s, and then the timer is somebody else's", () =>
    Effect.gen(function*() {
      const kind = newKind()
      const [dead, alive] = [yield* timerRows, yield* timerRows]
      const wanted = { until: 1_000_000, kinds: [kind], limit: 10 }
      yield* set(kind, "r", 1)
      const [lost] = yield* dead.claim({ ...wanted, now: 5_000 })
      assert.strictEqual(lost?.resource_id, "r")
      assert.deepStrictEqual(yield* alive.claim({ ...wanted, now: 5_000 + LEASE_MILLIS - 1 }), [])
      const [taken] = yield* alive.claim({ ...wanted, now: 5_000 + LEASE_MILLIS })
      assert.strictEqual(taken?.resource_id, "r")
      // Whoever lost the lease changes nothing any more.
      if (lost === undefined) return
      yield* Effect.all([dead.finish(lost), dead.postpone(lost, 99_000), dead.release(lost)])
      assert.deepStrictEqual([...(yield* rowsOf(kind))], [{ resource_id: "r", due_at: iso(at(1)), attempts: 0, lease_token: taken?.lease_token ?? "" }])
    }))

  it.effect("are for one timer of a resource at a time, the earliest first", () =>
    Effect.gen(function*() {
      const [first, second] = [newKind(), newKind()]
      const rows = yield* timerRows
      const wanted = { now: 0, until: 1_000_000, kinds: [first, second], limit: 10 }
      yield* set(second, "r", 2)
      yield* set(first, "r", 1)
      yield* set(second, "other", 3)
      yield* set(second, "r", 3, "acct_2")
      const claimed = yield* rows.claim(wanted)
      assert.deepStrictEqual(claimed.map(({ account_id, kind, resource_id }) => [account_id, kind, resource_id]).sort(), [
        ["acct_1", first, "r"],
        ["acct_1", second, "other"],
        ["acct_2", second, "r"]
      ].sort())
      assert.deepStrictEqual(yield* rows.claim(wanted), [])
      yield* Effect.forEach(claimed, rows.finish)
      assert.deepStrictEqual((yield* rows.claim(wanted)).map((timer) => timer.kind), [second])
    }))

  it.effect("pass by rows that a commit holds", () =>
    Effect.gen(function*() {
      const kind = newKind()
      const [commits, rows] = [yield* Database.CommitClient, yield* timerRows]
      yield* set(kind, "held", 1)
      yield* set(kind, "free", 2)
      const claimed = yield* commits.withTransaction(Effect.andThen(
        commits`UPDATE timers SET due_at = ${iso(at(3))}::timestamptz WHERE kind = ${kind} AND resource_id = 'held'`,
        rows.claim({ now: 0, until: 10_000, kinds: [kind], limit: 10 })
      ))
      assert.deepStrictEqual(claimed.map((timer) => timer.resource_id), ["free"])
    }))
})

/** One round trip to the database, in which everybody else gets their turn. */
const turn = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`)

/** Something that happens, and can be waited for. */
const signal = Effect.gen(function*() {
  const happened = yield* Queue.unbounded<string>()
  const next = Queue.take(happened)
  /** Lets time pass until it happens. The worker may have been busy when time first passed. */
  const nextInTime = (step: Duration.Input) =>
    Effect.gen(function*() {
      const waiting = yield* Effect.forkChild(next, { startImmediately: true })
      yield* Effect.repeat(Effect.andThen(TestClock.adjust(step), turn), { until: () => waiting.pollUnsafe() !== undefined })
      return yield* Fiber.join(waiting)
    })
  return { tell: (what: string) => Effect.asVoid(Queue.offer(happened, what)), next, nextInTime }
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

  it.effect("wakes for the next timer, and by its poll for one it could not know of", () =>
    Effect.gen(function*() {
      const [kind, { next, nextInTime, tell }] = [newKind(), yield* signal]
      yield* set(kind, "soon", 0.2)
      yield* set(kind, "first", 0)
      yield* worker({ [kind]: (_, resource) => tell(resource) })
      assert.strictEqual(yield* next, "first")
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(yield* next, "soon")
      yield* rowsWhen(kind, (rows) => rows.length === 0)
      yield* set(kind, "unannounced", 0.3)
      assert.strictEqual(yield* nextInTime("100 millis"), "unannounced")
    }).pipe(Effect.scoped, clocked))

  it.effect("wakes when it is told, at a standing clock", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }, wakeUp] = [newKind(), yield* signal, makeWakeUp()]
      yield* set(kind, "first", 0)
      yield* worker({ [kind]: (_, resource) => tell(resource) }).pipe(Effect.provideService(TimerWake, wakeUp))
      assert.strictEqual(yield* next, "first")
      yield* rowsWhen(kind, (rows) => rows.length === 0)
      yield* set(kind, "second", 0)
      wakeUp.wake()
      assert.strictEqual(yield* next, "second")
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
      for (let n = 0; n < 20; n++) yield* set(kind, `r${n}`, 0)
      const scope = yield* Scope.make()
      yield* worker({ [kind]: (_, resource) => Effect.andThen(tell(resource), Deferred.await(open)) }).pipe(Scope.provide(scope))
      for (let n = 0; n < 8; n++) yield* next
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(open, undefined)
      yield* Fiber.join(stopping)
      const rows = yield* rowsOf(kind)
      assert.strictEqual(rows.length, 12)
      assert.isTrue(rows.every((row) => row.lease_token === null && row.attempts === 0))
    }).pipe(Effect.scoped, clocked))

  it.effect("does not wait for ever when it stops", () =>
    Effect.gen(function*() {
      const [kind, { next, tell }] = [newKind(), yield* signal]
      yield* set(kind, "stuck", 0)
      const scope = yield* Scope.make()
      yield* worker({ [kind]: (_, resource) => Effect.andThen(tell(resource), Effect.never) }).pipe(Scope.provide(scope))
      yield* next
      const stopping = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), turn), { until: () => stopping.pollUnsafe() !== undefined })
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
