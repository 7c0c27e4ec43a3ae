import { assert, layer } from "@effect/vitest"
import { road } from "@svc/testkit/road"
import { Cause, DateTime, Deferred, Effect, Exit, Fiber, Layer, Logger, Ref, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../database/client.ts"
import type { TimerHandler } from "../parts/part.ts"
import { openAccount } from "../road/account-fixture.ts"
import { at, newKind, rowsOf, withHandlers } from "../timers/timer-fixture.ts"
import { timerRows } from "../timers/timer-rows.ts"
import { runDue } from "../timers/timers.ts"
import { now } from "../values/time.ts"
import { Agendas } from "./agenda.ts"
import { AdvanceLimit, ClockLost, driver, LEASE_MILLIS } from "./drive.ts"
import { clocked, commits, give, recorder, send, setTimer, standing } from "./fixture.ts"
import { clockRows } from "./rows.ts"
import { waitAfter } from "./timers.ts"

// The connections live by the machine's clock, each test by its own, which stands in for that of the world.
const services = Layer.merge(road, Agendas.layer)
const virtual = Effect.provide(TestClock.layer(), { local: true })

/** Moves the account's clock to a second, by these handlers alone. */
const advance = Effect.fnUntraced(function*(account: string, second: number, handlers: Readonly<Record<string, TimerHandler>>) {
  yield* send(account, second)
  return yield* withHandlers(handlers)(Effect.flatMap(driver, ({ drive }) => drive(account)))
})

const Plan = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))).check(Schema.isBetweenLength(1, 12))
const named = (dues: ReadonlyArray<number>) => dues.map((second, n) => [`r${String(n).padStart(2, "0")}`, second] as const)

layer(services, { excludeTestServices: true })("moving an account's clock", (it) => {
  it.effect.prop(
    "runs what is due in the order of time, each at its moment, and stands at the end where it was sent",
    [Plan],
    ([dues]) =>
      Effect.gen(function*() {
        const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
        for (const [resource, second] of named(dues)) yield* setTimer(account, kind, resource, second)
        assert.isTrue(yield* advance(account, 10, { [kind]: handler }))
        const due = named(dues).filter(([, second]) => second <= 10)
        const moments = (list: ReadonlyArray<readonly [string, number]>) => list.map(([, second]) => second)
        assert.deepStrictEqual(moments(yield* ran), moments(due).toSorted((a, b) => a - b))
        assert.sameDeepMembers([...(yield* ran)], due)
        assert.strictEqual((yield* rowsOf(kind)).length, dues.length - due.length)
        assert.deepStrictEqual(yield* standing(account), { present: 10, to: null, taken: false })
      }).pipe(virtual),
    { arbitrary: { runs: 30 } }
  )

  it.effect.prop(
    "changes nothing for an account without a clock, whose timers are due by the world's time",
    [Plan, Plan],
    ([theirs, own]) =>
      Effect.gen(function*() {
        const [kind, other, { handler, ran }] = [newKind(), newKind(), yield* recorder]
        const [account, untouched] = [yield* clocked, yield* openAccount]
        for (const [resource, second] of named(theirs)) yield* setTimer(untouched, kind, resource, second)
        for (const [resource, second] of named(own)) yield* setTimer(account, other, resource, second)
        const before = yield* rowsOf(kind)
        yield* advance(account, 10, { [kind]: handler, [other]: () => Effect.void })
        assert.deepStrictEqual([yield* ran, [...(yield* rowsOf(kind))]], [[], [...before]])
        const left = (yield* rowsOf(other)).length
        // Workers take theirs, and none of the account's, whatever time the world has.
        yield* TestClock.setTime(20_000)
        assert.strictEqual(yield* withHandlers({ [kind]: handler, [other]: handler })(runDue(at(20))), theirs.length)
        assert.strictEqual((yield* rowsOf(other)).length, left)
      }).pipe(virtual),
    { arbitrary: { runs: 20 } }
  )

  it.effect("ends when it has done as much as one advance may, at a moment of which everything is done, and goes on when it is sent again", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      for (const [resource, second] of named([1, 2, 2, 2, 3, 4, 5])) yield* setTimer(account, kind, resource, second)
      const limited = Effect.provideService(AdvanceLimit, 3)
      yield* limited(advance(account, 10, { [kind]: handler }))
      assert.deepStrictEqual((yield* ran).map(([, second]) => second), [1, 2, 2, 2])
      assert.deepStrictEqual(yield* standing(account), { present: 2, to: null, taken: false })
      const stopped = Effect.map((yield* clockRows).find(account), (clock) => clock?.stopped)
      assert.deepStrictEqual(yield* stopped, { reason: "limit", to: "1970-01-01T00:00:10.000Z" })
      yield* limited(advance(account, 10, { [kind]: handler }))
      assert.deepStrictEqual([(yield* ran).length, yield* standing(account), yield* stopped], [
        7,
        { present: 10, to: null, taken: false },
        null
      ])
    }).pipe(virtual))

  it.effect("counts what an advance does over all who move it", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      for (const [resource, second] of named([1, 2, 3, 4])) yield* setTimer(account, kind, resource, second)
      yield* send(account, 10)
      // Each holder has time for one moment.
      const turn = withHandlers({ [kind]: handler })(Effect.flatMap(driver, ({ drive }) => {
        let looks = 0
        return drive(account, () => ++looks > 2)
      })).pipe(Effect.provideService(AdvanceLimit, 3))
      yield* turn.pipe(Effect.repeat({ until: () => Effect.map(standing(account), (clock) => clock?.to === null), times: 20 }))
      assert.deepStrictEqual([(yield* ran).length, yield* standing(account)], [3, { present: 3, to: null, taken: false }])
    }).pipe(virtual))

  it.effect("runs what handlers set meanwhile, in its place, also for the same moment", () =>
    Effect.gen(function*() {
      const [kind, account, commit] = [newKind(), yield* clocked, yield* commits]
      const seen: Array<string> = []
      const handler: TimerHandler = (_, resource) =>
        Effect.gen(function*() {
          const present = yield* now
          seen.push(`${resource} at ${present.epochMilliseconds / 1000}`)
          if (resource === "a") {
            const set = [{ kind, resource_id: "at once", due_at: at(10) }, { kind, resource_id: "b", due_at: at(20) }]
            yield* commit(account, { set, clear: [{ kind, resource_id: "a" }] })
          }
          // It moves itself, twice.
          if (resource === "b" && seen.length < 6) {
            yield* commit(account, { set: [{ kind, resource_id: "b", due_at: DateTime.add(present, { seconds: 20 }) }] })
          }
        })
      yield* setTimer(account, kind, "a", 10)
      yield* setTimer(account, kind, "c", 30)
      yield* advance(account, 100, { [kind]: handler })
      assert.deepStrictEqual(seen, ["a at 10", "at once at 10", "b at 20", "c at 30", "b at 40", "b at 60"])
      assert.deepStrictEqual([...(yield* rowsOf(kind))], [])
    }).pipe(virtual))

  it.effect("leaves a timer where its handler's commit put it, and removes one that was left after success", () =>
    Effect.gen(function*() {
      const [kind, account, commit] = [newKind(), yield* clocked, yield* commits]
      for (const resource of ["moved", "left"]) yield* setTimer(account, kind, resource, 10)
      let runs = 0
      const handler: TimerHandler = (_, resource) =>
        Effect.suspend(() => {
          runs++
          return resource === "left" ? Effect.void : commit(account, { set: [{ kind, resource_id: "moved", due_at: at(1_000) }] })
        })
      yield* advance(account, 60, { [kind]: handler })
      assert.deepStrictEqual([runs, (yield* rowsOf(kind)).map(({ due_at, resource_id }) => [resource_id, Date.parse(due_at)])], [2, [[
        "moved",
        1_000_000
      ]]])
    }).pipe(virtual))

  it.effect("runs those of one moment beside each other, and those of one resource one after another", () =>
    Effect.gen(function*() {
      const [first, second, account] = [newKind(), newKind(), yield* clocked]
      const together = yield* Deferred.make<void>()
      const running = new Set<string>()
      const order: Array<string> = []
      const handler = (kind: string): TimerHandler => (_, resource) =>
        Effect.gen(function*() {
          assert.isFalse(running.has(resource), "two timers of one resource")
          running.add(resource)
          order.push(`${kind} ${resource}`)
          if (running.size === 8) yield* Deferred.succeed(together, undefined)
          // In vain unless eight run at once.
          yield* Deferred.await(together)
          running.delete(resource)
        })
      const resources = Array.from({ length: 40 }, (_, n) => `r${n}`)
      for (const resource of resources) for (const kind of [second, first]) yield* setTimer(account, kind, resource, 10)
      yield* advance(account, 10, { [first]: handler(first), [second]: handler(second) })
      assert.sameMembers(order, [first, second].flatMap((kind) => resources.map((resource) => `${kind} ${resource}`)))
      for (const resource of resources) assert.isBelow(order.indexOf(`${first} ${resource}`), order.indexOf(`${second} ${resource}`))
    }).pipe(virtual))

  it.effect("tries again at once what fails, then ever later by the account's clock, and does not stop for it", () =>
    Effect.gen(function*() {
      const [kind, account] = [newKind(), yield* clocked]
      const tries: Array<number> = []
      const hopeless: TimerHandler = () =>
        Effect.andThen(Effect.map(now, ({ epochMilliseconds }) => void tries.push(epochMilliseconds / 1000)), Effect.fail("refused"))
      yield* setTimer(account, kind, "hopeless", 10)
      const month = 30 * 24 * 3600
      const moving = yield* Effect.forkChild(advance(account, month, { [kind]: hopeless }).pipe(Effect.provide(Logger.layer([]))))
      yield* Effect.repeat(TestClock.adjust("50 millis"), { until: () => moving.pollUnsafe() !== undefined })
      assert.isTrue(yield* Fiber.join(moving))
      const moments = tries.filter((_, n) => n % 3 === 0)
      assert.deepStrictEqual(tries, moments.flatMap((moment) => [moment, moment, moment]), "three times at each moment")
      assert.deepStrictEqual(
        moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0)),
        moments.slice(1).map((_, n) => waitAfter(n + 1) / 1000)
      )
      assert.isBelow(moments.length, 50)
      assert.deepStrictEqual(yield* standing(account), { present: month, to: null, taken: false })
      assert.strictEqual((yield* rowsOf(kind))[0]?.attempts, moments.length)
    }).pipe(virtual))

  it.effect("takes what was set while the account got its clock, which workers leave alone", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) VALUES (${account}, ${kind}, 'stray', to_timestamp(5), 0)`
      assert.deepStrictEqual(
        yield* (yield* timerRows).claim({ now: 9_000, until: 9_000, kinds: [kind], limit: 10, account_id: account }),
        []
      )
      yield* advance(account, 10, { [kind]: handler })
      assert.deepStrictEqual(yield* ran, [["stray", 5]])
    }).pipe(virtual))

  it.effect("waits for what a worker had in hand when the account got its clock", () =>
    Effect.gen(function*() {
      const [kind, later, account, { handler, ran }] = [newKind(), newKind(), yield* openAccount, yield* recorder]
      yield* setTimer(account, kind, "in hand", 1)
      yield* setTimer(account, later, "later", 2)
      const worker = yield* timerRows
      const [leased] = yield* worker.claim({ now: 1_000, until: 1_000, kinds: [kind], limit: 1 })
      yield* give(account, 1)
      const moving = yield* Effect.forkChild(advance(account, 10, { [kind]: handler, [later]: handler }), { startImmediately: true })
      yield* Effect.repeat(TestClock.adjust("25 millis"), { times: 20 })
      assert.deepStrictEqual([yield* ran, moving.pollUnsafe()], [[], undefined])
      if (leased !== undefined) yield* worker.finish(leased)
      yield* Effect.repeat(TestClock.adjust("25 millis"), { until: () => moving.pollUnsafe() !== undefined })
      assert.deepStrictEqual(yield* ran, [["later", 2]])
    }).pipe(virtual))

  it.effect("runs at its present what is overdue, and never goes back for it", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* openAccount, yield* recorder]
      yield* give(account, 100)
      for (const [resource, second] of [["overdue", 40], ["at present", 100], ["ahead", 140]] as const) {
        yield* setTimer(account, kind, resource, second)
      }
      yield* advance(account, 120, { [kind]: handler })
      assert.deepStrictEqual(yield* ran, [["overdue", 100], ["at present", 100]])
    }).pipe(virtual))
})

layer(services, { excludeTestServices: true })("who moves a clock", (it) => {
  /** A handler that gets stuck at the third resource, and tells that it has. */
  const stuck = Effect.gen(function*() {
    const there = yield* Deferred.make<void>()
    const ran: Array<string> = []
    const handler: TimerHandler = (_, resource) =>
      Effect.suspend(() => {
        ran.push(resource)
        return ran.length === 3 ? Effect.andThen(Deferred.succeed(there, undefined), Effect.never) : Effect.void
      })
    return { handler, ran, there: Deferred.await(there) }
  })
  const five = Effect.fnUntraced(function*(kind: string) {
    const account = yield* clocked
    for (let n = 1; n <= 5; n++) yield* setTimer(account, kind, `r${n}`, n)
    return account
  })

  it.effect("is one process: another one finds it taken, and its workers run nothing", () =>
    Effect.gen(function*() {
      const [kind, { handler, there }, recorded] = [newKind(), yield* stuck, yield* recorder]
      const account = yield* five(kind)
      const moving = yield* Effect.forkChild(advance(account, 10, { [kind]: handler }))
      yield* there
      const elsewhere = yield* Layer.build(Layer.fresh(Database.layer))
      const drive = Effect.flatMap(driver, ({ drive }) => drive(account))
      assert.isFalse(yield* withHandlers({ [kind]: recorded.handler })(Effect.provideContext(drive, elsewhere)))
      assert.deepStrictEqual(yield* recorded.ran, [])
      assert.deepStrictEqual(yield* standing(account), { present: 3, to: 10, taken: true })
      yield* Fiber.interrupt(moving)
    }).pipe(Effect.scoped, virtual))

  it.effect("lets go of it when it is stopped, where it is, and the next one goes on from there", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran, there }, recorded] = [newKind(), yield* stuck, yield* recorder]
      const account = yield* five(kind)
      const moving = yield* Effect.forkChild(advance(account, 10, { [kind]: handler }))
      yield* there
      yield* Fiber.interrupt(moving)
      assert.deepStrictEqual(yield* standing(account), { present: 3, to: 10, taken: false })
      assert.isTrue(yield* withHandlers({ [kind]: recorded.handler })(Effect.flatMap(driver, ({ drive }) => drive(account))))
      assert.deepStrictEqual([ran, yield* recorded.ran], [["r1", "r2", "r3"], [["r3", 3], ["r4", 4], ["r5", 5]]])
      assert.deepStrictEqual(yield* standing(account), { present: 10, to: null, taken: false })
    }).pipe(virtual))

  it.effect("keeps it no longer than its lease when it dies, and whoever takes it over runs again what it had under way", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      const account = yield* five(kind)
      const rows = yield* clockRows
      yield* send(account, 10)
      const dead = { account_id: account, token: "dead" }
      yield* rows.take(dead, 0, LEASE_MILLIS)
      yield* rows.move(dead, 3_000)
      const drive = withHandlers({ [kind]: handler })(Effect.flatMap(driver, ({ drive }) => drive(account)))
      yield* TestClock.setTime(LEASE_MILLIS - 1)
      assert.isFalse(yield* drive)
      assert.notInclude(yield* rows.abandoned(LEASE_MILLIS - 1), account)
      yield* TestClock.setTime(LEASE_MILLIS)
      assert.include(yield* rows.abandoned(LEASE_MILLIS), account)
      assert.isTrue(yield* drive)
      assert.deepStrictEqual(yield* ran, [["r1", 3], ["r2", 3], ["r3", 3], ["r4", 4], ["r5", 5]])
      // What comes back from the dead changes nothing.
      yield* rows.release(dead)
      assert.deepStrictEqual([yield* rows.renew(dead, 99_000), yield* rows.move(dead, 99_000), yield* rows.arrive(dead, 10_000)], [
        false,
        false,
        false
      ])
      assert.deepStrictEqual(yield* standing(account), { present: 10, to: null, taken: false })
    }).pipe(virtual))

  it.effect("renews its lease as long as it lives, and stops when somebody else has it", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran, there }] = [newKind(), yield* stuck]
      const account = yield* five(kind)
      const sql = yield* SqlClient.SqlClient
      const moving = yield* Effect.forkChild(Effect.exit(advance(account, 10, { [kind]: handler })))
      yield* there
      const until = Effect.map(
        sql<{ readonly lease_until: string }>`SELECT lease_until FROM account_clocks WHERE account_id = ${account}`,
        ([row]) => Date.parse(row?.lease_until ?? "")
      )
      assert.strictEqual(yield* until, LEASE_MILLIS)
      yield* TestClock.adjust(LEASE_MILLIS / 3)
      yield* Effect.repeat(until, { until: (millis) => millis === LEASE_MILLIS + LEASE_MILLIS / 3 })
      yield* sql`UPDATE account_clocks SET lease_token = 'thief' WHERE account_id = ${account}`
      yield* TestClock.adjust(LEASE_MILLIS / 3)
      const exit = yield* Fiber.join(moving)
      assert.deepStrictEqual(Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit, new ClockLost({ account_id: account }))
      assert.deepStrictEqual([ran.length, yield* standing(account)], [3, { present: 3, to: 10, taken: true }])
    }).pipe(virtual))

  it.effect("runs nothing more once it was lost between two moments", () =>
    Effect.gen(function*() {
      const kind = newKind()
      const account = yield* five(kind)
      const sql = yield* SqlClient.SqlClient
      const ran: Array<string> = []
      const robbed: TimerHandler = (_, resource) =>
        Effect.orDie(Effect.andThen(
          Effect.sync(() => ran.push(resource)),
          sql`UPDATE account_clocks SET lease_token = 'thief' WHERE account_id = ${account}`
        ))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(advance(account, 10, { [kind]: robbed }))))
      assert.deepStrictEqual([ran, yield* standing(account)], [["r1"], { present: 1, to: 10, taken: true }])
    }).pipe(virtual))

  it.effect("loses nothing when its lease is to be renewed before it hears that it has arrived", () =>
    Effect.gen(function*() {
      const account = yield* clocked
      yield* send(account, 10)
      const [arrived, renewed, heard] = [yield* Deferred.make<void>(), yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const after = (text: string) =>
        /advance_to = NULL/u.test(text)
          ? Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(heard))
          : /SET lease_until = ,/u.test(text)
          ? Deferred.succeed(renewed, undefined)
          : undefined
      // The answer to the arrival comes when the test lets it.
      const slow = new Proxy(yield* SqlClient.SqlClient, {
        apply: (sql, self, args: ReadonlyArray<unknown>) => {
          const statement: unknown = Reflect.apply(sql, self, args)
          const then = after(String(args[0]))
          return then !== undefined && Effect.isEffect(statement) ? Effect.tap(statement, () => then) : statement
        }
      })
      const drive = Effect.flatMap(driver, ({ drive }) => drive(account)).pipe(Effect.provideService(SqlClient.SqlClient, slow))
      const moving = yield* Effect.forkChild(withHandlers({})(drive))
      yield* Deferred.await(arrived)
      yield* TestClock.adjust(LEASE_MILLIS / 3)
      yield* Deferred.await(renewed)
      // What came of the renewal is judged first.
      yield* Effect.yieldNow
      yield* Deferred.succeed(heard, undefined)
      assert.isTrue(yield* Fiber.join(moving))
      assert.deepStrictEqual(yield* standing(account), { present: 10, to: null, taken: false })
    }).pipe(virtual))

  it.effect("goes further when it was sent further while it settled where it stood", () =>
    Effect.gen(function*() {
      const [kind, account, { handler, ran }] = [newKind(), yield* clocked, yield* recorder]
      yield* setTimer(account, kind, "at present", 0)
      yield* setTimer(account, kind, "later", 5)
      const sent = yield* Ref.make(false)
      const context = yield* Effect.context<SqlClient.SqlClient>()
      const sends: TimerHandler = (id, resource) =>
        Effect.gen(function*() {
          yield* handler(id, resource)
          if (!(yield* Ref.getAndSet(sent, true))) yield* Effect.provideContext(send(account, 10), context)
        })
      assert.isTrue(yield* withHandlers({ [kind]: sends })(Effect.flatMap(driver, ({ drive }) => drive(account))))
      assert.deepStrictEqual(yield* ran, [["at present", 0], ["later", 5]])
      assert.deepStrictEqual(yield* standing(account), { present: 10, to: null, taken: false })
    }).pipe(virtual))
})
