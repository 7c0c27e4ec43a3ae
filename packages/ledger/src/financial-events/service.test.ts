import { assert, layer } from "@effect/vitest"
import { CommitRefused } from "@svc/kernel/road/committer"
import type { Entry } from "@svc/kernel/road/decision"
import { services } from "@svc/testkit/services"
import { Effect, Fiber, Result, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { entry, history, openAccount, openWithHistory, tamper, write } from "../fixture.ts"
import { routeNames } from "./routes.ts"
import { Ledger } from "./service.ts"

/** Events of {@link history}. */
const EVENTS = history.flat().length

const Posted = Schema.Struct({
  route: Schema.Literals(routeNames),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
  currency: Schema.Literals(["USD", "EUR"]),
  pending: Schema.Boolean
})
const Commits = Schema.Array(Schema.Array(Posted).check(Schema.isBetweenLength(1, 4))).check(Schema.isBetweenLength(1, 15))

/** The buckets by currency and name, as plain arithmetic. */
const applied = (before: ReadonlyMap<string, number>, entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> => {
  const after = new Map(before)
  for (const { currency, delta_available, delta_pending, delta_reserved } of entries) {
    for (const [bucket, delta] of Object.entries({ available: delta_available, pending: delta_pending, reserved: delta_reserved })) {
      after.set(`${currency} ${bucket}`, (after.get(`${currency} ${bucket}`) ?? 0) + delta)
    }
  }
  return after
}
const allowed = (buckets: ReadonlyMap<string, number>) => Array.from(buckets).every(([name, sum]) => sum >= 0 || name.endsWith("available"))

const balancesOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ currency: string; available: number; pending: number; reserved: number }>`
    SELECT currency, available, pending, reserved FROM balance_accounts WHERE account_id = ${account}`
  return rows.flatMap(({ available, currency, pending, reserved }) =>
    Object.entries({ available, pending, reserved }).map(([bucket, sum]) => [`${currency} ${bucket}`, sum] as const)
  )
})

layer(services, { excludeTestServices: true })("a ledger", (it) => {
  it.effect.prop("is right after any sequence of postings", [Commits], ([commits]) =>
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const account = yield* openAccount
      let buckets: ReadonlyMap<string, number> = new Map()
      let written = 0
      for (const [n, posted] of commits.entries()) {
        const entries = posted.map(({ amount, currency, pending, route }) => entry(route, amount, { currency, pending }))
        const next = applied(buckets, entries)
        const result = yield* Effect.result(write(account, entries, `cause-${n}`))
        // Pending and reserved never fall below zero; a commit that would do that leaves nothing behind.
        if (allowed(next)) {
          assert.isTrue(Result.isSuccess(result))
          buckets = next
          written += entries.length
        } else {
          assert.deepStrictEqual(Result.isFailure(result) ? result.failure : undefined, new CommitRefused({ reason: "below_zero" }))
        }
      }
      assert.deepInclude(yield* ledger.verify(account), { ok: true, checked: written, last_sequence_id: written, first_break: null })
      const moved = (sums: Iterable<readonly [string, number]>) => Array.from(sums).filter(([, sum]) => sum !== 0).sort()
      assert.deepStrictEqual(moved(yield* balancesOf(account)), moved(buckets))
    }), { arbitrary: { runs: 100 } })

  it.effect("verifies in part", () =>
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const account = yield* openWithHistory
      const whole = yield* ledger.verify(account)
      assert.deepInclude(whole, { ok: true, checked: EVENTS, last_sequence_id: EVENTS, first_break: null })
      const cases = [
        [{ from: 1, to: EVENTS }, EVENTS],
        [{ from: 4 }, EVENTS - 3],
        [{ to: 4 }, 4],
        [{ from: 3, to: 5 }, 3],
        [{ from: EVENTS }, 1],
        [{ to: 1_000_000 }, EVENTS],
        [{ from: EVENTS + 1 }, 0],
        [{ from: EVENTS + 100 }, 0]
      ] as const
      for (const [range, checked] of cases) assert.deepStrictEqual(yield* ledger.verify(account, range), { ...whole, checked })
    }))

  it.effect("verifies when it is empty, and when there is none", () =>
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const empty = { ok: true, checked: 0, last_sequence_id: 0, head_hash: "0".repeat(64), first_break: null }
      assert.deepStrictEqual(yield* ledger.verify(yield* openAccount), empty)
      assert.deepStrictEqual(yield* ledger.verify("acct_nobody"), empty)
    }))

  it.effect("of every account can be verified", () =>
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const accounts = [yield* openWithHistory, yield* openAccount]
      const found = yield* Stream.runCollect(ledger.verifyAll)
      for (const account of accounts) assert.isTrue(found.some(({ account_id, ok }) => account_id === account && ok))
      const ids = found.map(({ account_id }) => account_id)
      assert.deepStrictEqual(ids, Array.from(new Set(ids)).sort())
    }))

  it.effect("longer than one query's rows is followed to its end", () =>
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const account = yield* openAccount
      const commits = Array.from({ length: 30 }, (_, n) =>
        write(account, Array.from({ length: 150 }, () => entry("payment_captured", 1)), `cause-${n}`))
      yield* Effect.all(commits, { concurrency: "unbounded" })
      assert.deepInclude(yield* ledger.verify(account), { ok: true, checked: 4_500, last_sequence_id: 4_500 })
      yield* tamper((sql) =>
        sql`UPDATE financial_events SET resource_id = 'pi_2' WHERE merchant_id = ${account} AND sequence_id = 4321`
      )
      assert.deepInclude(yield* ledger.verify(account), {
        ok: false,
        checked: 4_320,
        first_break: { sequence_id: 4_321, reason: "hash_mismatch" }
      })
    }), 180_000)

  it.effect("shows no break while commits go on", () =>
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const account = yield* openAccount
      const writing = yield* Effect.forkChild(Effect.forEach(
        Array.from({ length: 300 }, (_, n) => n),
        (n) => write(account, [entry("payment_captured", 10), entry("fee_charged", 1), entry("settlement_completed", 9)], `cause-${n}`),
        { concurrency: 2, discard: true }
      ))
      const seen = new Set<number>()
      while (writing.pollUnsafe() === undefined) {
        const { checked, first_break, last_sequence_id } = yield* ledger.verify(account)
        assert.isNull(first_break)
        assert.strictEqual(checked, last_sequence_id)
        seen.add(checked)
      }
      yield* Fiber.join(writing)
      assert.isAbove(seen.size, 2, "it was checked at several lengths")
      assert.deepInclude(yield* ledger.verify(account), { ok: true, checked: 900 })
    }))
})
