/** Reports of one account, one after another, and what becomes of one whose process dies. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { TestClocks } from "@svc/accounts/test-clocks/service"
import { Committer } from "@svc/kernel/road/committer"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import type { StatementLine } from "@svc/payments/rails/statement"
import { services } from "@svc/testkit/services"
import { type DateTime, Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { balance, captureLine, detail, openMerchant, pay, period, resolve, upload } from "../../fixture.ts"
import { ReportId } from "../../mismatches/model.ts"
import { Mismatches } from "../../mismatches/service.ts"
import { ComparisonRepository } from "../repository/comparison.ts"
import { BEGINNING, FIRST_DAY } from "../repository/laid.ts"
import { type ComparisonLease, type ComparisonPhase, ProgressRepository } from "../repository/progress.ts"
import { ReportRepository } from "../repository/reports.ts"
import { commitOf } from "../road.ts"
import { begin } from "../rules/report.ts"
import { nextPiece } from "./comparing.ts"
import { Reports } from "./reports.ts"

const repositories = Layer.mergeAll(ComparisonRepository.layer, ProgressRepository.layer, ReportRepository.layer)

/** Lines that the ledger does not know. */
const unknown = (count: number, at: DateTime.Utc): ReadonlyArray<StatementLine> =>
  Array.from(
    { length: count },
    (_, n) => ({
      type: "capture",
      provider_reference: `unknown_${String(n).padStart(5, "0")}`,
      amount: 20_000 + n,
      currency: "USD",
      occurred_at: at
    })
  )

/** A report whose lines are laid, and which nobody compares yet. */
const begun = Effect.fnUntraced(function*(account: AccountFacts, lines: ReadonlyArray<StatementLine>) {
  const reports = yield* ReportRepository
  const [id, at, asked] = [ReportId.make(yield* nextId("rr")), yield* now, yield* period]
  yield* reports.lay(account.id, id, 1, lines)
  yield* (yield* Committer).commit(
    commitOf(begin(asked, { id, account: account.id, origin: "file", covers: ["capture"], line_count: lines.length, at }))
  )
  return id
})

/** Compares until so many pieces of this phase are written, and then dies. */
const dying = Effect.fnUntraced(function*(turn: ComparisonLease, phase: ComparisonPhase, pieces: number) {
  const books = { repository: yield* ComparisonRepository, reverse: (yield* Mismatches).reverse }
  const report = (yield* (yield* ReportRepository).find(turn.account, turn.report))!
  const progress = yield* ProgressRepository
  let reached = turn.progress
  for (let written = 0; written < pieces;) {
    if (reached.phase === phase) written++
    reached = yield* progress.advance(turn, yield* nextPiece(books, report, reached))
  }
})

const claim = (account: AccountFacts) => Effect.flatMap(ProgressRepository, (progress) => progress.claim(account.id))
const mismatchesOf = (account: AccountFacts) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      Effect.map(
        sql<{ readonly n: number }>`SELECT count(*) AS n FROM reconciliation_mismatches WHERE merchant_id = ${account.id}`,
        ([row]) => row?.n
      )
  )
const left = (account: AccountFacts) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<
        { readonly lines: number; readonly under_way: number }
      >`SELECT (SELECT count(*) FROM reconciliation_lines WHERE merchant_id = ${account.id}) AS lines,
    (SELECT count(*) FROM reconciliation_progress WHERE merchant_id = ${account.id}) AS under_way`,
      ([row]) => [row?.lines, row?.under_way]
    ))

layer(services, { timeout: 60_000 })("a report whose process died", (it) => {
  it.effect.each([["ledger", 10, false], ["corrections", 10, true], ["reference", 4_500, true], ["amount", 4_500, false]] as const)(
    "in its phase %s of %d lines goes on where it stood (with a clock of its own that stands still: %s)",
    ([phase, count, clocked]) =>
      Effect.gen(function*() {
        const account = yield* openMerchant()
        yield* pay(account)
        if (clocked) yield* (yield* TestClocks).create(account)
        const id = yield* begun(account, unknown(count, yield* now))
        yield* dying((yield* claim(account))!, phase, 1)
        const found = yield* mismatchesOf(account)
        assert.strictEqual((found ?? 0) > 3_000, phase === "amount")
        const { catchUp } = yield* Reports
        yield* catchUp
        assert.strictEqual((yield* detail(account, id)).status, "processing", "the lease of the process is not over")
        yield* TestClock.adjust("61 seconds")
        yield* catchUp
        const report = yield* detail(account, id)
        assert.deepInclude(report, { status: "completed", counts: { matched: 0, mismatched: count, unreconciled: 1 } })
        assert.deepInclude(report.totals[0], { currency: "USD", expected: 10_000, actual: count * 20_000 + count * (count - 1) / 2 })
        assert.strictEqual(yield* mismatchesOf(account), count + 1)
        assert.deepStrictEqual(yield* left(account), [0, 0])
      }).pipe(Effect.provide(repositories))
  )

  it.effect("is compared in pieces also where all lines have one amount, or one reference", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* pay(account)
      const [at, count] = [yield* now, 4_500]
      const alike = (provider_reference: string | null, amount: number) =>
        Array.from(
          { length: count },
          (): StatementLine => ({ type: "capture", provider_reference, amount, currency: "USD", occurred_at: at })
        )
      const id = yield* begun(account, [...alike(null, 10_000), ...alike("again", 20_000)])
      yield* (yield* Reports).catchUp
      const report = yield* detail(account, id)
      assert.deepInclude(report, { status: "completed", counts: { matched: 1, mismatched: 2 * count - 1, unreconciled: 0 } })
      assert.deepInclude(report.mismatch_counts, { missing_internal: count, duplicate: count - 1 })
      const sql = yield* SqlClient.SqlClient
      const subjects = yield* sql<
        { readonly n: number }
      >`SELECT count(DISTINCT subject) AS n FROM reconciliation_mismatches WHERE merchant_id = ${account.id}`
      assert.strictEqual(subjects[0]?.n, 2 * count - 1, "each is known again by a name of its own")
    }).pipe(Effect.provide(repositories)))

  it.effect("reads no more rows for a piece than the piece has, whatever the statistics of the tables say", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const sql = yield* SqlClient.SqlClient
      const comparison = yield* ComparisonRepository
      const count = 12_000
      const id = yield* begun(account, unknown(count, yield* now))
      yield* sql`ANALYZE reconciliation_lines`
      const report = (yield* (yield* ReportRepository).find(account.id, id))!
      const counted = Effect.map(
        sql<{ readonly n: number }>`SELECT pg_stat_get_xact_tuples_returned('reconciliation_lines'::regclass)
          + pg_stat_get_xact_tuples_fetched('reconciliation_lines'::regclass) AS n`,
        ([row]) => Number(row?.n)
      )
      /**
       * Rows of the lines that Postgres fetches for this. Its counters may still hold what earlier transactions of the connection fetched.
       */
      const fetched = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        sql.withTransaction(Effect.gen(function*() {
          const before = yield* counted
          yield* work
          return (yield* counted) - before
        }))
      const rows = yield* comparison.byReference(report, BEGINNING)
      assert.isAtMost(yield* fetched(comparison.byReference(report, BEGINNING)), rows.length)
      assert.isAtMost(yield* fetched(comparison.markAlone(report, rows)), rows.length)
      yield* sql`UPDATE reconciliation_lines SET alone = true WHERE merchant_id = ${account.id}`
      assert.isAtMost(yield* fetched(comparison.byDay(report, 0, FIRST_DAY)), rows.length)
      yield* (yield* ReportRepository).discard(account.id, id)
      yield* sql`UPDATE reconciliation_progress SET due_at = now() + interval '1 year' WHERE merchant_id = ${account.id}`
    }).pipe(Effect.provide(repositories)))

  it.effect("takes a correction back once, also when it dies after that", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const before = yield* balance(account)
      const [mismatch] = (yield* upload(account, [])).mismatches
      yield* resolve(account, mismatch!.id, "accept_external")
      const id = yield* begun(account, [{
        type: "capture",
        provider_reference: payment.provider_reference,
        amount: 10_000,
        currency: "USD",
        occurred_at: payment.updated_at
      }])
      const turn = (yield* claim(account))!
      yield* dying(turn, "corrections", 1)
      // The piece takes the correction back, and is never written.
      const books = { repository: yield* ComparisonRepository, reverse: (yield* Mismatches).reverse }
      const report = (yield* (yield* ReportRepository).find(account.id, id))!
      const _unwritten = yield* nextPiece(books, report, { ...turn.progress, phase: "reference" })
      assert.strictEqual(yield* balance(account), before)
      yield* TestClock.adjust("61 seconds")
      yield* (yield* Reports).catchUp
      assert.deepInclude(yield* detail(account, id), { status: "completed", counts: { matched: 1, mismatched: 0, unreconciled: 0 } })
      assert.strictEqual(yield* balance(account), before)
    }).pipe(Effect.provide(repositories)))
})

layer(services, { timeout: 60_000 })("reports of one account", (it) => {
  it.effect("take turns, the oldest first, whichever process asks; those of others do not wait", () =>
    Effect.gen(function*() {
      const [account, other] = [yield* openMerchant(), yield* openMerchant()]
      const progress = yield* ProgressRepository
      const at = yield* now
      const [first, second] = [yield* begun(account, unknown(1, at)), yield* begun(account, unknown(1, at))].toSorted()
      yield* begun(other, unknown(1, at))
      const turn = (yield* claim(account))!
      assert.strictEqual(turn.report, first)
      assert.isUndefined(yield* claim(account))
      assert.isDefined(yield* claim(other))
      // One that fails lets others go before it.
      yield* progress.postpone(turn, Duration.minutes(1))
      const next = (yield* claim(account))!
      assert.strictEqual(next.report, second)
      yield* progress.release(next)
      assert.strictEqual((yield* claim(account))?.report, second)
      // Who lost the turn writes nothing any more.
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* claim(account))?.report, first)
      assert.strictEqual((yield* Effect.flip(progress.advance(turn, Effect.succeed(turn.progress))))._tag, "ComparisonLeaseLost")
    }).pipe(Effect.provide(repositories)))

  it.effect("that come at once are all completed, and none waits for a lock", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const made = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 6 }), () => upload(account, [captureLine(payment)]), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      for (const report of yield* Fiber.join(made)) {
        assert.deepInclude(report, { status: "completed", counts: { matched: 1, mismatched: 0, unreconciled: 0 } })
      }
      assert.deepStrictEqual(yield* left(account), [0, 0])
    }))

  it.effect("wait for one that another process is at work on, and then go on", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const progress = yield* ProgressRepository
      yield* begun(account, unknown(1, yield* now))
      const turn = (yield* claim(account))!
      const uploading = yield* Effect.forkChild(upload(account, ["capture,late,100,USD,1970-01-01"]), { startImmediately: true })
      yield* Effect.repeat(TestClock.adjust("250 millis"), { until: () => uploading.pollUnsafe() !== undefined })
      assert.strictEqual((yield* Fiber.join(uploading)).status, "processing")
      yield* progress.release(turn)
      const waiting = Effect.flatMap(left(account), ([, under_way]) => Effect.as(TestClock.adjust("250 millis"), under_way))
      yield* Effect.repeat(waiting, { until: (under_way) => under_way === 0 })
      assert.deepStrictEqual([(yield* detail(account, turn.report)).status, yield* left(account)], ["completed", [0, 0]])
    }).pipe(Effect.provide(repositories)))
})
