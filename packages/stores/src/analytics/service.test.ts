/** Counts on a real database, beside counts by hand. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { DateTime, Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { AnalyticsEvent, AnalyticsQuery } from "./model.ts"
import { Analytics } from "./service.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account.id
})

const at = DateTime.makeUnsafe
const limit = 1_000

const event = (timestamp: string, more: Partial<AnalyticsEvent> = {}): AnalyticsEvent => ({ event: "e", timestamp: at(timestamp), ...more })

/** The buckets of these events, as pairs of start and count. */
const bucketsOf = Effect.fnUntraced(function*(account: string, query: Omit<AnalyticsQuery, "kind">) {
  const found = yield* (yield* Analytics).query(account, "n", { kind: "count_by_bucket", limit, ...query })
  return "buckets" in found ? found.buckets.map(({ count, start }) => [DateTime.formatIso(start), count]) : []
})

layer(services, { timeout: "60 seconds" })("analytics", (it) => {
  it.effect("count what a window includes: its first moment, and not its last", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const account = yield* openAccount
      const moments = [
        "2026-03-01T00:00:00.000Z",
        "2026-03-01T00:00:59.999Z",
        "2026-03-01T00:01:00.000Z",
        "2026-03-01T23:59:59.999Z",
        "2026-03-02T00:00:00.000Z"
      ]
      assert.strictEqual(yield* analytics.capture(account, "n", moments.map((moment) => event(moment))), 5)
      const count = (from: string, to: string) => analytics.query(account, "n", { kind: "count", limit, from_ts: at(from), to_ts: at(to) })
      assert.deepStrictEqual(yield* count("2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"), { count: 4 })
      assert.deepStrictEqual(yield* count("2026-03-02T00:00:00.000Z", "2026-03-03T00:00:00.000Z"), { count: 1 })
      assert.deepStrictEqual(yield* count("2026-03-01T00:00:00.001Z", "2026-03-01T00:01:00.000Z"), { count: 1 })
      assert.deepStrictEqual(yield* count("2026-03-01T00:01:00.000Z", "2026-03-01T00:01:00.000Z"), { count: 0 })
      assert.deepStrictEqual(yield* bucketsOf(account, { bucket: "minute" }), [
        ["2026-03-01T00:00:00.000Z", 2],
        ["2026-03-01T00:01:00.000Z", 1],
        ["2026-03-01T23:59:00.000Z", 1],
        ["2026-03-02T00:00:00.000Z", 1]
      ])
      assert.deepStrictEqual(yield* bucketsOf(account, { bucket: "hour" }), [["2026-03-01T00:00:00.000Z", 3], [
        "2026-03-01T23:00:00.000Z",
        1
      ], ["2026-03-02T00:00:00.000Z", 1]])
      assert.deepStrictEqual(yield* bucketsOf(account, { bucket: "day" }), [["2026-03-01T00:00:00.000Z", 4], [
        "2026-03-02T00:00:00.000Z",
        1
      ]])
    }))

  it.effect("put events into the days of a time zone, those of 23 and 25 hours too", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const account = yield* openAccount
      // In Berlin the 29th of March 2026 has 23 hours, from 23:00Z to 22:00Z, and the 25th of October 25, from 22:00Z to 23:00Z.
      const moments = [
        "2026-03-28T22:59:59.999Z",
        "2026-03-28T23:00:00.000Z",
        "2026-03-29T21:59:59.999Z",
        "2026-03-29T22:00:00.000Z",
        "2026-10-24T21:59:59.999Z",
        "2026-10-24T22:00:00.000Z",
        "2026-10-25T22:59:59.999Z",
        "2026-10-25T23:00:00.000Z"
      ]
      yield* analytics.capture(account, "n", moments.map((moment) => event(moment)))
      assert.deepStrictEqual(yield* bucketsOf(account, { bucket: "day", time_zone: "Europe/Berlin" }), [
        ["2026-03-27T23:00:00.000Z", 1],
        ["2026-03-28T23:00:00.000Z", 2],
        ["2026-03-29T22:00:00.000Z", 1],
        ["2026-10-23T22:00:00.000Z", 1],
        ["2026-10-24T22:00:00.000Z", 2],
        ["2026-10-25T23:00:00.000Z", 1]
      ])
      // Half an hour off, and the hour that happens twice is two.
      assert.deepStrictEqual(
        yield* bucketsOf(account, { bucket: "hour", time_zone: "Asia/Kolkata", to_ts: at("2026-03-29T00:00:00.000Z") }),
        [["2026-03-28T22:30:00.000Z", 2]]
      )
      yield* analytics.capture(account, "twice", [event("2026-10-25T00:30:00.000Z"), event("2026-10-25T01:30:00.000Z")])
      const twice = yield* analytics.query(account, "twice", { kind: "count_by_bucket", bucket: "hour", time_zone: "Europe/Berlin", limit })
      assert.deepStrictEqual("buckets" in twice ? twice.buckets.map(({ count }) => count) : [], [1, 1])
    }))

  it.effect("are what counting by hand comes to, for any question", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const account = yield* openAccount
      const zone = DateTime.zoneMakeNamedUnsafe("America/New_York")
      const begin = Date.parse("2026-10-20T00:00:00.000Z")
      const events = yield* Effect.forEach(Array.from({ length: 600 }), () =>
        Effect.gen(function*() {
          const user = yield* Random.nextIntBetween(0, 40)
          return {
            event: `e${yield* Random.nextIntBetween(0, 5)}`,
            ...(user === 0 ? {} : { user_id: `u${user}` }),
            properties: { plan: (yield* Random.nextBoolean) ? "pro" : "free", seats: yield* Random.nextIntBetween(1, 4) },
            timestamp: at(begin + (yield* Random.nextIntBetween(0, 20 * 86_400_000)))
          } satisfies AnalyticsEvent
        }))
      yield* analytics.capture(account, "n", events.slice(0, 400))
      yield* analytics.capture(account, "n", events.slice(400))
      for (let round = 0; round < 20; round++) {
        const from = begin + (yield* Random.nextIntBetween(0, 10 * 86_400_000))
        const to = from + (yield* Random.nextIntBetween(0, 10 * 86_400_000))
        const name = `e${yield* Random.nextIntBetween(0, 6)}`
        const filter = round % 3 === 0 ? {} : round % 3 === 1 ? { plan: "pro" } : { plan: "free", seats: 2 }
        const query = { from_ts: at(from), to_ts: at(to), property_filter: filter, ...(round % 2 === 0 ? { event: name } : {}) }
        const expected = events.filter(({ event: of, properties, timestamp }) => {
          const moment = DateTime.toEpochMillis(timestamp)
          return moment >= from && moment < to && (round % 2 === 1 || of === name) &&
            Object.entries(filter).every(([key, value]) => properties[key === "plan" ? "plan" : "seats"] === value)
        })
        const counts = <A>(values: ReadonlyArray<A>) =>
          Array.from(Map.groupBy(values, (value) => value), ([value, all]) => [value, all.length] as const)
        assert.deepStrictEqual(yield* analytics.query(account, "n", { kind: "count", limit, ...query }), { count: expected.length })
        assert.deepStrictEqual(yield* analytics.query(account, "n", { kind: "distinct_users", limit, ...query }), {
          users: new Set(expected.flatMap(({ user_id = "" }) => user_id === "" ? [] : [user_id])).size
        })
        const byEvent = counts(expected.map(({ event: of }) => of)).toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1))
        assert.deepStrictEqual(yield* analytics.query(account, "n", { kind: "count_by_event", limit, ...query }), {
          events: byEvent.map(([of, count]) => ({ event: of, count })),
          more: false
        })
        const starts = expected.map(({ timestamp }) => DateTime.formatIso(DateTime.startOf(DateTime.setZone(timestamp, zone), "day")))
        assert.deepStrictEqual(
          yield* bucketsOf(account, { bucket: "day", time_zone: "America/New_York", ...query }),
          counts(starts.toSorted()).map(([start, count]) => [start, count])
        )
      }
    }).pipe(Random.withSeed("analytics")))

  it.effect("say when there are more lines than were asked for", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const account = yield* openAccount
      yield* analytics.capture(
        account,
        "n",
        ["a", "b", "b", "c"].map((name, n) => event(`2026-01-0${n + 1}T00:00:00.000Z`, { event: name }))
      )
      assert.deepStrictEqual(yield* analytics.query(account, "n", { kind: "count_by_event", limit: 2 }), {
        events: [{ event: "b", count: 2 }, { event: "a", count: 1 }],
        more: true
      })
      const found = yield* analytics.query(account, "n", { kind: "count_by_bucket", limit: 3 })
      assert.deepStrictEqual("buckets" in found ? [found.buckets.length, found.more] : [], [3, true])
      assert.deepStrictEqual(
        yield* analytics.query(account, "n", { kind: "count_by_event", limit: 3 }).pipe(Effect.map((all) => "more" in all && all.more)),
        false
      )
    }))

  it.effect("without a time happened when they were captured", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const account = yield* openAccount
      yield* TestClock.setTime(Date.parse("2026-05-05T10:20:30.400Z"))
      yield* analytics.capture(account, "n", [{ event: "now" }])
      assert.deepStrictEqual(yield* bucketsOf(account, { bucket: "minute" }), [["2026-05-05T10:20:00.000Z", 1]])
    }))

  it.effect("of one account are never another's, and what was deleted is gone", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const sql = yield* SqlClient.SqlClient
      const [mine, theirs] = [yield* openAccount, yield* openAccount]
      yield* analytics.capture(mine, "n", [event("2026-01-01", { user_id: "u" })])
      for (const kind of ["count", "distinct_users", "count_by_event", "count_by_bucket"] as const) {
        const nothing = yield* analytics.query(theirs, "n", { kind, limit })
        yield* analytics.capture(theirs, "of their own", [event("2026-01-01", { event: "theirs" })])
        yield* analytics.capture(theirs, "n", [])
        assert.deepStrictEqual(yield* analytics.query(theirs, "n", { kind, limit }), nothing)
        assert.notDeepEqual(yield* analytics.query(mine, "n", { kind, limit }), nothing)
      }
      yield* analytics.capture(theirs, "n", [event("2026-01-01", { event: "theirs" })])
      assert.deepStrictEqual(yield* analytics.query(theirs, "n", { kind: "count_by_event", limit }), {
        events: [{ event: "theirs", count: 1 }],
        more: false
      })
      assert.strictEqual(yield* analytics.removeNamespace(theirs, "n"), 1)
      assert.deepStrictEqual(yield* analytics.query(mine, "n", { kind: "count", limit }), { count: 1 })
      assert.strictEqual(yield* analytics.removeNamespace(mine, "n"), 1)
      for (const table of ["analytics_events", "analytics_namespaces"]) {
        assert.deepStrictEqual(
          (yield* sql.unsafe<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table} WHERE account_id = $1`, [mine])).map(({ n }) => n),
          [0],
          table
        )
      }
      yield* analytics.capture(mine, "n", [event("2026-01-02")])
      assert.deepStrictEqual(yield* analytics.query(mine, "n", { kind: "count", limit }), { count: 1 })
    }))

  it.effect("have a limit, and a zone that only one side knows is named", () =>
    Effect.gen(function*() {
      const analytics = yield* Analytics
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* analytics.capture(account, "n", [event("2026-01-01")])
      assert.match(
        (yield* Effect.flip(analytics.query(account, "n", { kind: "count_by_bucket", time_zone: "Mars/Olympus", limit }))).message,
        /^query\.time_zone: .*Mars\/Olympus/
      )
      yield* sql`UPDATE analytics_namespaces SET events = 999999 WHERE account_id = ${account}`
      yield* analytics.capture(account, "n", [event("2026-01-01")])
      assert.strictEqual((yield* Effect.flip(analytics.capture(account, "n", [event("2026-01-01")])))._tag, "StorageFull")
    }))
})
