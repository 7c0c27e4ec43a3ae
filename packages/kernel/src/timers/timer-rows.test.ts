import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../database/client.ts"
import { iso } from "../values/time.ts"
import { at, newKind, rowsOf, set } from "./timer-fixture.ts"
import { LEASE_MILLIS, timerRows } from "./timer-rows.ts"

const services = Layer.provide(Database.layer, layerDatabase)

layer(services)("leases", (it) => {
  it.effect("are for no more timers than were asked for", () =>
    Effect.gen(function*() {
      const kind = newKind()
      const rows = yield* timerRows
      yield* Effect.forEach(Array.from({ length: 40 }, (_, n) => n), (n) => set(kind, `r${n}`, 1))
      for (const limit of [1, 1, 7]) {
        const before = (yield* rowsOf(kind)).filter(({ lease_token }) => lease_token !== null).length
        const given = yield* rows.claim({ now: 5_000, until: 5_000, kinds: [kind], limit })
        assert.lengthOf(given, limit)
        assert.lengthOf((yield* rowsOf(kind)).filter(({ lease_token }) => lease_token !== null), before + limit)
      }
    }))

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
      assert.deepStrictEqual([...(yield* rowsOf(kind))], [{
        resource_id: "r",
        due_at: iso(at(1)),
        attempts: 0,
        lease_token: taken?.lease_token ?? ""
      }])
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
      assert.deepStrictEqual(
        claimed.map(({ account_id, kind, resource_id }) => [account_id, kind, resource_id]).sort(),
        [
          ["acct_1", first, "r"],
          ["acct_1", second, "other"],
          ["acct_2", second, "r"]
        ].sort()
      )
      assert.deepStrictEqual(yield* rows.claim(wanted), [])
      yield* Effect.forEach(claimed, rows.finish)
      assert.deepStrictEqual((yield* rows.claim(wanted)).map((timer) => timer.kind), [second])
    }))

  it.effect("are for one timer of a resource also when an earlier one is set meanwhile", () =>
    Effect.gen(function*() {
      const [earlier, later] = [newKind(), newKind()]
      const rows = yield* timerRows
      const wanted = { now: 0, until: 1_000_000, kinds: [earlier, later], limit: 10 }
      yield* set(later, "r", 2)
      const [leased] = yield* rows.claim(wanted)
      yield* set(earlier, "r", 1)
      assert.deepStrictEqual(yield* rows.claim(wanted), [])
      if (leased !== undefined) yield* rows.finish(leased)
      assert.deepStrictEqual((yield* rows.claim(wanted)).map((timer) => timer.kind), [earlier])
    }))

  it.effect("are given by one claim at a time, or two would miss each other's", () =>
    Effect.gen(function*() {
      const [earlier, later] = [newKind(), newKind()]
      const [sql, other] = [yield* SqlClient.SqlClient, yield* Database.CommitClient]
      const [here, elsewhere] = [yield* timerRows, yield* Effect.provideService(timerRows, SqlClient.SqlClient, other)]
      const wanted = { now: 0, until: 1_000_000, kinds: [earlier, later], limit: 10 }
      yield* set(later, "r", 2)
      // A claim that is not committed yet, an earlier timer, and another claim.
      const claiming = yield* sql.withTransaction(Effect.gen(function*() {
        assert.deepStrictEqual((yield* here.claim(wanted)).map((timer) => timer.kind), [later])
        yield* Effect.provideService(set(earlier, "r", 1), SqlClient.SqlClient, other)
        const claiming = yield* Effect.forkDetach(elsewhere.claim(wanted), { startImmediately: true })
        // Done at once, or waiting for a lock: then the statistics say so.
        yield* Effect.repeat(
          sql<{ readonly n: number }>`
          SELECT count(*) AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`,
          {
            until: ([row]) => row?.n === 1 || claiming.pollUnsafe() !== undefined
          }
        )
        return claiming
      }))
      assert.deepStrictEqual(yield* Fiber.join(claiming), [])
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
