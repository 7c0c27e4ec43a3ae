import { assert, describe, it, layer } from "@effect/vitest"
import { layerRoad, road } from "@svc/testkit/road"
import { Data, DateTime, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { iso } from "../values/time.ts"
import { openAccount } from "./account-fixture.ts"
import { Committer } from "./committer.ts"
import { atMost, LimitReached } from "./conditions.ts"
import { windowAt } from "./counters.ts"
import type { CounterMove, Window } from "./decision.ts"
import { commitOf, outcomeOf } from "./road-fixture.ts"

interface Counter {
  readonly name: string
  readonly key: string
  readonly period: string
  readonly window_start: string
  readonly spent: number
  readonly reserved: number
}

const countersOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Counter>`SELECT name, key, period, window_start, spent, reserved FROM counters WHERE account_id = ${account}
    ORDER BY name, key, period, window_start`
})

/** Sends commits that move counters, in one turn of the event loop and in this order. */
const together = Effect.fnUntraced(function*<R = never>(account: string, all: ReadonlyArray<ReadonlyArray<CounterMove<R>>>) {
  const committer = yield* Committer
  const made = yield* Effect.forEach(all, (counters, n) => commitOf<R>(account, `n${n}`, { counters }))
  return yield* Effect.forEach(made, (commit) => Effect.result(committer.commit(commit)), { concurrency: "unbounded" })
})

const spend = (spent: number, limit?: number): CounterMove<LimitReached> => ({
  name: "credits",
  key: "",
  add: { spent, reserved: 0 },
  ...(limit === undefined ? {} : { limit: atMost(limit) })
})

const failureOf = <A, E>(result: Result.Result<A, E> | undefined): E | undefined =>
  result !== undefined && Result.isFailure(result) ? result.failure : undefined

const moment = DateTime.makeUnsafe("2026-11-21T14:35:07.123Z")

describe("a window", () => {
  it.each(
    [
      ["hour", "2026-11-21T14:00:00.000Z"],
      ["day", "2026-11-21T00:00:00.000Z"],
      ["month", "2026-11-01T00:00:00.000Z"]
    ] as const
  )("of one %s begins in UTC", (period, start) => {
    assert.deepStrictEqual(iso(windowAt(period, moment).start), start)
  })
})

class Exhausted extends Data.TaggedError("Exhausted")<{ readonly left: number }> {}

layer(road, { excludeTestServices: true })("counters", (it) => {
  it.effect("of 64 at once, as many pass as fit below the limit, and no more", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const results = yield* together(account, Array.from({ length: 64 }, () => [spend(3, 100)]))
      assert.strictEqual(results.filter(Result.isSuccess).length, 33)
      assert.deepStrictEqual(yield* countersOf(account), [
        { name: "credits", key: "", period: "life", window_start: "1970-01-01T00:00:00.000Z", spent: 99, reserved: 0 }
      ])
      for (const result of results) {
        if (Result.isFailure(result)) {
          assert.deepInclude(result.failure, { _tag: "LimitReached", name: "credits", key: "", period: "life", limit: 100, left: 1 })
        }
      }
    }))

  it.effect("judge in order: who comes after one that was too much may still fit", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const results = yield* together(account, [[spend(60, 100)], [spend(50, 100)], [spend(30, 100)], [spend(11, 100)], [spend(10, 100)]])
      assert.deepStrictEqual(results.map(outcomeOf), ["written", "LimitReached", "written", "LimitReached", "written"])
      assert.deepInclude(failureOf(results[1]), { left: 40 })
      assert.deepInclude(failureOf(results[3]), { left: 10 })
    }))

  it.effect("give back the room of what is released, within the same batch", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const reserve = (reserved: number): CounterMove<LimitReached> => ({
        name: "budget",
        key: "agk_1",
        add: { spent: 0, reserved },
        limit: atMost(100)
      })
      const settle = (reserved: number, spent: number): CounterMove<LimitReached> => ({
        name: "budget",
        key: "agk_1",
        add: { spent, reserved: -reserved }
      })
      const results = yield* together(account, [[reserve(70)], [reserve(40)], [settle(70, 20)], [reserve(80)], [settle(80, 0)], [
        reserve(80)
      ]])
      assert.deepStrictEqual(results.map(outcomeOf), ["written", "LimitReached", "written", "written", "written", "written"])
      assert.deepInclude((yield* countersOf(account))[0], { spent: 20, reserved: 80 })
    }))

  it.effect("always let go, also above a limit that was lowered; but never of more than there is", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      assert.deepStrictEqual((yield* together(account, [[spend(90, 100)], [spend(1, 50)], [spend(-30)], [spend(-61)]])).map(outcomeOf), [
        "written",
        "LimitReached",
        "written",
        "below_zero"
      ])
      const lowered = yield* together(account, [[spend(1, 50)]])
      assert.deepInclude(failureOf(lowered[0]), { limit: 50, left: 0 })
      assert.deepStrictEqual((yield* together(account, [[{ name: "none", key: "", add: { spent: 0, reserved: -1 } }]])).map(outcomeOf), [
        "below_zero"
      ])
    }))

  it.effect("of three levels and four windows move in one statement, or none of them", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      // Hour, day and month begin at the same instant.
      const at = DateTime.makeUnsafe("2026-12-01T00:10:00.000Z")
      const windows: ReadonlyArray<Window | undefined> = [windowAt("hour", at), windowAt("day", at), windowAt("month", at), undefined]
      const limits = { agk_root: [500, 900, 5_000, 90_000], agk_team: [300, 600, 4_000, 9_000], agk_leaf: [100, 250, 1_000, 2_000] }
      const call = (price: number) =>
        commitOf(account, `call ${price}`, {
          at,
          counters: Object.entries(limits).flatMap(([key, each]) =>
            windows.map((window, n): CounterMove<LimitReached> => ({
              name: "agent_budget",
              key,
              add: { spent: price, reserved: 0 },
              limit: atMost(each[n] ?? 0),
              ...(window === undefined ? {} : { window })
            }))
          )
        })
      yield* committer.commit(yield* call(80))
      assert.strictEqual((yield* countersOf(account)).length, 12)
      const refused = yield* Effect.flip(Effect.flatMap(call(30), committer.commit))
      assert.deepInclude(refused, { _tag: "LimitReached", name: "agent_budget", key: "agk_leaf", period: "hour", limit: 100, left: 20 })
      yield* committer.commit(yield* call(20))
      const rows = yield* countersOf(account)
      assert.strictEqual(rows.length, 12)
      for (const { reserved, spent } of rows) assert.deepStrictEqual([spent, reserved], [100, 0])
    }))

  it.effect("refuse with what the commit says", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const move: CounterMove<Exhausted> = {
        name: "snapshots",
        key: "free",
        add: { spent: 6, reserved: 0 },
        limit: { at_most: 5, refusal: ({ left }) => new Exhausted({ left }) }
      }
      assert.deepStrictEqual((yield* together(account, [[move]])).map(failureOf), [new Exhausted({ left: 5 })])
      assert.deepStrictEqual(yield* countersOf(account), [])
    }))

  it.effect("moved twice by one commit are judged by the sum", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const results = yield* together(account, [[spend(8, 10), spend(-3)], [spend(4, 10), spend(2, 11)], [spend(4, 10), spend(1, 10)]])
      assert.deepStrictEqual(results.map(outcomeOf), ["written", "LimitReached", "written"])
      assert.deepInclude((yield* countersOf(account))[0], { spent: 10 })
    }))

  it.effect("of another account are another's", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* openAccount, yield* openAccount]
      yield* together(one, [[spend(10, 10)]])
      assert.deepStrictEqual((yield* together(other, [[spend(10, 10)]])).map(outcomeOf), ["written"])
    }))

  it.effect("that somebody removed, as old windows may be, begin again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* together(account, [[spend(5, 10)]])
      for (const limit of [10, undefined]) {
        yield* sql`DELETE FROM counters WHERE account_id = ${account}`
        assert.deepStrictEqual((yield* together(account, [[spend(6, limit)]])).map(outcomeOf), ["written"])
        assert.deepInclude((yield* countersOf(account))[0], { spent: 6 })
      }
    }))

  it.effect("hold across processes, in windows that nobody opened before", () =>
    Effect.gen(function*() {
      const here = yield* Committer
      const other = yield* Committer.pipe(Effect.provide(yield* Layer.build(Layer.fresh(layerRoad))))
      const account = yield* openAccount
      const window = windowAt("hour", moment)
      const results = yield* Effect.forEach(Array.from({ length: 64 }, (_, n) => n), (n) =>
        Effect.flatMap(
          commitOf(account, `n${n}`, { counters: [{ ...spend(1, 40), window }] }),
          (commit) => Effect.result((n % 2 === 0 ? here : other).commit(commit))
        ), { concurrency: "unbounded" })
      assert.strictEqual(results.filter(Result.isSuccess).length, 40)
      assert.strictEqual(results.map(outcomeOf).filter((outcome) => outcome === "LimitReached").length, 24)
      assert.deepInclude((yield* countersOf(account))[0], { spent: 40, period: "hour", window_start: "2026-11-21T14:00:00.000Z" })
    }), 180_000)
})
