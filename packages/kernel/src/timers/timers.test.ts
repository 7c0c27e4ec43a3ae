import { assert, describe, it, layer } from "@effect/vitest"
import { road } from "@svc/testkit/road"
import { DateTime, Duration, Effect, Fiber, Latch, Ref, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { TimerHandler } from "../parts/part.ts"
import { lostRace } from "../resource/versions.ts"
import { Committer } from "../road/committer.ts"
import type { TimerDraft, TimerKey } from "../road/decision.ts"
import { openHead } from "../road/heads.ts"
import { makeId } from "../values/ids.ts"
import { iso, now } from "../values/time.ts"
import { at, newKind, rowsOf, set, withHandlers } from "./timer-fixture.ts"
import { timerRows } from "./timer-rows.ts"
import { runDue, waitAfter } from "./timers.ts"

const clocked = Effect.provide(TestClock.layer(), { local: true })

/** Records what ran, and the second at which it ran. */
const recorder = Effect.gen(function*() {
  const ran = yield* Ref.make<ReadonlyArray<readonly [string, number]>>([])
  const handler: TimerHandler = (_account, resource) =>
    Effect.flatMap(now, ({ epochMilliseconds }) => Ref.update(ran, (all) => [...all, [resource, epochMilliseconds / 1_000] as const]))
  return { handler, ran: Ref.get(ran) }
})

const openAccount = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const id = makeId("acct", 0)
  const moment = iso(yield* now)
  yield* sql`INSERT INTO accounts (id, name, status, sandbox, capabilities, restrictions, settings, created_at, updated_at, version)
    VALUES (${id}, 'Acme', 'active', true, '["charges","payouts"]'::jsonb, '[]'::jsonb, '{}'::jsonb, ${moment}::timestamptz, ${moment}::timestamptz, 1)`
  yield* openHead(id)
  return id
})

/** Commits of timers alone. The handlers that use them keep the clock of whoever runs them. */
const commits = Effect.map(
  Committer,
  (committer) =>
    Effect.fnUntraced(
      function*(account_id: string, timers: { readonly set?: ReadonlyArray<TimerDraft>; readonly clear?: ReadonlyArray<TimerKey> }) {
        yield* committer.commit({
          account_id,
          at: yield* now,
          cause: "test",
          writes: [],
          entries: [],
          events: [],
          set: timers.set ?? [],
          clear: timers.clear ?? []
        })
      }
    )
)

describe("the wait after failures", () => {
  it.effect.each([[1, 1], [2, 2], [3, 4], [8, 128], [10, 512], [11, 600], [40, 600]] as const)(
    "%i is about %i s",
    ([failures, seconds]) =>
      Effect.gen(function*() {
        const waits = yield* Effect.forEach(Array.from({ length: 50 }), () => Effect.map(waitAfter(failures), Duration.toSeconds))
        for (const wait of waits) assert.isTrue(wait >= seconds * 0.8 && wait <= seconds * 1.2, `${wait} s`)
        assert.isAbove(new Set(waits).size, 40, "jittered")
      })
  )
})

const Plan = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))).check(Schema.isBetweenLength(1, 12))

layer(road, { excludeTestServices: true })("runDue", (it) => {
  it.effect("waits for a timer that somebody else has in hand, also where the clock stands still", () =>
    clocked(Effect.gen(function*() {
      const [kind, { handler, ran }, sql] = [newKind(), yield* recorder, yield* SqlClient.SqlClient]
      yield* set(kind, "r", 1)
      const [locked, done] = [yield* Latch.make(), yield* Latch.make()]
      const other = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT 1 FROM timers WHERE kind = ${kind} FOR UPDATE`
        yield* locked.open
        yield* done.await
      })))
      yield* locked.await
      const run = yield* Effect.forkChild(withHandlers({ [kind]: handler })(runDue(at(10))))
      // Long enough to look in vain, by the world's time; a slow machine can only let a fault pass.
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))
      assert.deepStrictEqual(yield* ran, [])
      yield* done.open
      yield* Fiber.join(other)
      assert.strictEqual(yield* Fiber.join(run), 1)
    })))

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
          if (resource === "a") {
            yield* commit(account, { set: [{ kind, resource_id: "b", due_at: at(20) }], clear: [{ kind, resource_id: "a" }] })
          }
          // It moves itself, twice.
          if (resource === "b" && seen.length < 5) {
            yield* commit(account, { set: [{ kind, resource_id: "b", due_at: DateTime.add(yield* now, { seconds: 20 }) }] })
          }
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
      assert.deepStrictEqual([...(yield* rowsOf(kind))], [{
        resource_id: "renewal",
        due_at: iso(at(1_000)),
        attempts: 0,
        lease_token: null
      }])
    }).pipe(clocked))

  it.effect("tries a failed timer again, ever later, until it succeeds", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      yield* set(kind, "r", 10)
      const failing: TimerHandler = (account, resource) =>
        Effect.flatMap(Effect.andThen(handler(account, resource), ran), (all) =>
          all.length === 1
            ? Effect.fail("refused")
            : all.length === 2
            ? Effect.die("broken")
            : all.length === 3
            ? Effect.interrupt
            : Effect.void)
      assert.strictEqual(yield* withHandlers({ [kind]: failing })(runDue(at(1_000))), 4)
      const times = (yield* ran).map(([, second]) => second)
      const waits = times.slice(1).map((time, n) => time - (times[n] ?? 0))
      for (const [n, wait] of waits.entries()) assert.isTrue(wait >= 0.8 * 2 ** n && wait <= 1.2 * 2 ** n, `wait ${n} was ${wait} s`)
      assert.strictEqual((yield* rowsOf(kind)).length, 0)
    }).pipe(clocked))

  it.effect("runs a handler again at once that lost a race", () =>
    Effect.gen(function*() {
      const [kind, { handler, ran }] = [newKind(), yield* recorder]
      yield* set(kind, "r", 10)
      const overtaken: TimerHandler = (account, resource) =>
        Effect.flatMap(Effect.andThen(handler(account, resource), ran), (all) => all.length < 3 ? Effect.fail(lostRace()) : Effect.void)
      assert.strictEqual(yield* withHandlers({ [kind]: overtaken })(runDue(at(60))), 1)
      assert.deepStrictEqual((yield* ran).map(([, second]) => second), [10, 10, 10])
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
