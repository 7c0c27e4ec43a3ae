import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { runDue } from "@svc/kernel/timers/timers"
import { parseJson } from "@svc/kernel/values/json"
import { iso, now } from "@svc/kernel/values/time"
import { Disputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { balance, detail, idIn, keyed, openMerchant, pay, period, reconcile, refund, resolve, upload } from "../fixture.ts"
import type { MismatchType, Resolution } from "../mismatches/model.ts"
import { noMismatches } from "./model.ts"
import { Reports } from "./service/reports.ts"

/** What has become of the ledger's rows, by event type. */
const statuses = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    { readonly event_type: string; readonly reconciliation_status: string }
  >`SELECT event_type, reconciliation_status FROM financial_events WHERE merchant_id = ${account.id} ORDER BY sequence_id`
  return rows.map(({ event_type, reconciliation_status }) => `${event_type} ${reconciliation_status}`)
})

const statusOf = (account: AccountFacts, type: string) =>
  Effect.map(statuses(account), (all) => all.filter((one) => one.startsWith(`${type} `)).map((one) => one.slice(type.length + 1)))

const laid = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.map(sql<{ readonly n: number }>`SELECT count(*) AS n FROM reconciliation_lines`, ([row]) => row?.n)
)

layer(services, { timeout: 60_000 })("a report of a rail's own statement", (it) => {
  it.effect("is not kept waiting by files of another account that come slowly, or never", () =>
    Effect.gen(function*() {
      const [slow, quick] = [yield* openMerchant(), yield* openMerchant()]
      const reports = yield* Reports
      const asked = yield* period
      const stalled = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Effect.forkChild(reports.upload(slow.id, asked, Stream.never), { startImmediately: true }))
      const made = yield* TestClock.withLive(Effect.timeoutOption(reports.create(quick.id, asked), "60 seconds"))
      assert.strictEqual(made._tag, "Some")
      yield* Fiber.interruptAll(stalled)
    }))

  it.effect("agrees with the ledger on captures, refunds, disputes, what came back of them, and fees", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const taken = yield* pay(account)
      const held = yield* pay(account, { capture: false })
      yield* (yield* PaymentIntents).capture({ account, id: held.id, keyed: keyed("payment_intent.capture"), payload: { amount: 4_000 } })
      yield* refund(account, taken.id, 1_000)
      yield* refund(account, taken.id, 1_000)
      yield* pay(account, { capture: false })
      const disputes = yield* Disputes
      const { body } = yield* disputes.simulate({ account, keyed: keyed("dispute.simulate"), payload: { payment_intent_id: held.id } })
      yield* disputes.submit({ account, id: idIn(body), keyed: keyed("dispute.submit"), payload: { other: "winning_evidence" } })
      yield* TestClock.adjust("1 second")
      yield* runDue(yield* now)
      const report = yield* reconcile(account)
      assert.deepStrictEqual(report.mismatches, [])
      assert.deepInclude(report, { status: "completed", line_count: 8, counts: { matched: 8, mismatched: 0, unreconciled: 0 } })
      assert.deepStrictEqual(report.totals, [{ currency: "USD", expected: 12_000 - 320 - 146, actual: 12_000 - 320 - 146 }])
      const moved = (yield* statuses(account)).filter((one) => !one.endsWith(" pending"))
      assert.deepStrictEqual(moved.map((one) => one.split(" ")[1]), Array.from({ length: 8 }, () => "matched"))
      assert.strictEqual(yield* laid, 0)
    }))

  it.effect.each(
    [
      ["omit", "missing_external", "unreconciled"],
      ["amount", "amount", "mismatched"],
      ["currency", "currency", "mismatched"],
      ["early", "timing", "mismatched"],
      ["twice", "duplicate", "matched"],
      ["extra", "missing_internal", "matched"]
    ] as const
  )("names what a provider that says %s differs in: %s", ([kind, type, status]) =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* TestClock.adjust("8 days")
      yield* pay(account)
      const intent = yield* pay(account, { metadata: { "sim.statement": kind } })
      const report = yield* reconcile(account)
      const [mismatch, ...others] = report.mismatches
      assert.deepStrictEqual(others, [])
      assert.deepInclude(mismatch, { type, line_type: "capture", status: "open", resolution: null, source: "card_a" })
      assert.deepStrictEqual(report.mismatch_counts, { ...noMismatches, [type]: 1 })
      assert.deepStrictEqual(yield* statusOf(account, "payment_captured"), ["matched", status])
      if (type !== "missing_internal") assert.strictEqual(mismatch?.provider_reference, intent.provider_reference)
      assert.strictEqual(mismatch?.expected === null, type === "missing_internal" || type === "duplicate")
      assert.strictEqual(mismatch?.actual === null, type === "missing_external")
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("an answer that is lost shows as what the ledger does not have, until the provider was asked", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* pay(account, { metadata: { "sim.outcome": "late_success" } })
      yield* TestClock.adjust("3 seconds")
      const report = yield* reconcile(account)
      assert.deepStrictEqual(report.mismatches.map(({ line_type, type }) => `${type} ${line_type}`).toSorted(), [
        "missing_internal capture",
        "missing_internal fee"
      ])
      yield* runDue(yield* now)
      assert.deepStrictEqual((yield* reconcile(account)).mismatches, [])
      const earlier = yield* detail(account, report.id)
      assert.deepStrictEqual(earlier.mismatches.map(({ status }) => status), ["resolved", "resolved"])
    }))

  it.effect("an approval of another amount, which goes back, is on the provider's books alone", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* pay(account, { metadata: { "sim.outcome": "amount_mismatch" } })
      yield* TestClock.adjust("3 seconds")
      yield* runDue(yield* now)
      const { mismatches } = yield* reconcile(account)
      assert.deepStrictEqual(mismatches.map(({ actual, line_type, type }) => `${type} ${line_type} ${actual?.amount}`).toSorted(), [
        "missing_internal capture 9999",
        "missing_internal refund 9999"
      ])
    }))
})

layer(services, { timeout: 60_000 })("a provider's file", (it) => {
  it.effect("that comes late finds what an earlier one lacked", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const intents = [yield* pay(account), yield* pay(account)]
      const lines = intents.map(({ provider_reference, updated_at }) => `capture,${provider_reference},10000,USD,${iso(updated_at)}`)
      const first = yield* upload(account, lines.slice(0, 1))
      assert.deepStrictEqual(first.mismatches.map(({ type }) => type), ["missing_external"])
      assert.deepStrictEqual(yield* statusOf(account, "payment_captured"), ["matched", "unreconciled"])
      const late = yield* upload(account, lines.slice(1))
      assert.deepStrictEqual(late.mismatches, [])
      assert.deepStrictEqual(yield* statusOf(account, "payment_captured"), ["matched", "matched"])
      const [closed] = (yield* detail(account, first.id)).mismatches
      assert.deepInclude(closed, { status: "resolved", resolved_by: late.id })
    }))

  it.effect("without references is matched by amount, currency and date", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* TestClock.adjust("8 days")
      const { updated_at } = yield* pay(account)
      const near = yield* upload(account, [`capture,,10000,USD,${iso(DateTime.subtract(updated_at, { days: 3 }))}`])
      assert.deepStrictEqual(near.counts, { matched: 1, mismatched: 0, unreconciled: 0 })
    }))

  it.effect("with dates too far apart, or another amount, is not", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* TestClock.adjust("8 days")
      const { updated_at } = yield* pay(account)
      const far = yield* upload(account, [
        `capture,,10000,USD,${iso(DateTime.subtract(updated_at, { days: 4 }))}`,
        `capture,,10001,USD,${iso(updated_at)}`
      ])
      assert.deepStrictEqual(far.mismatches.map(({ type }) => type).toSorted(), [
        "missing_external",
        "missing_internal",
        "missing_internal"
      ])
    }))
})

const signed: ReadonlyArray<readonly [kind: string, type: MismatchType, resolution: Resolution, change: number]> = [
  ["amount", "amount", "accept_external", 1],
  ["amount", "amount", "accept_internal", 0],
  ["amount", "amount", "manual", 0],
  ["amount", "amount", "write_off", 0],
  ["omit", "missing_external", "accept_external", -10_000],
  ["omit", "missing_external", "write_off", 0],
  ["twice", "duplicate", "accept_external", 10_000],
  ["extra", "missing_internal", "accept_external", 10_007],
  ["early", "timing", "accept_external", 0],
  ["currency", "currency", "accept_external", -10_000]
]

layer(services, { timeout: 60_000 })("resolving a mismatch", (it) => {
  it.effect.each(signed)("%s (%s) with %s changes the balance by %d", ([kind, type, resolution, change]) =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* TestClock.adjust("8 days")
      yield* pay(account, { metadata: { "sim.statement": kind } })
      const before = yield* balance(account)
      const [mismatch] = (yield* reconcile(account)).mismatches
      assert.strictEqual(mismatch?.type, type)
      const { body } = yield* resolve(account, mismatch!.id, resolution)
      assert.deepInclude(parseJson(body), { status: "resolved", resolution, resolved_by: "key_1" })
      assert.strictEqual(yield* balance(account), before + change)
      if (type === "currency") assert.strictEqual(yield* balance(account, "EUR"), 10_000)
      assert.notInclude((yield* statuses(account)).join(), "mismatched")
      assert.isNull((yield* verifyBooks(account.id)).first_break)
      // Again it changes nothing, and in another way it is refused.
      assert.strictEqual((yield* resolve(account, mismatch!.id, resolution)).body, body)
      assert.strictEqual(yield* balance(account), before + change)
      const other = resolution === "manual" ? "accept_internal" : "manual"
      assert.strictEqual((yield* Effect.flip(resolve(account, mismatch!.id, other)))._tag, "InvalidState")
      // The next report knows what was decided.
      const next = yield* reconcile(account)
      assert.deepStrictEqual(next.mismatches, [])
      assert.deepStrictEqual(next.counts.mismatched + next.counts.unreconciled, 0)
    }))

  it.effect("of many who resolve it at once, each in the same way, one posts the entries", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      yield* pay(account, { metadata: { "sim.statement": "extra" } })
      const before = yield* balance(account)
      const [mismatch] = (yield* reconcile(account)).mismatches
      yield* Effect.forEach(Array.from({ length: 8 }), () => resolve(account, mismatch!.id, "accept_external"), {
        concurrency: "unbounded"
      })
      assert.strictEqual(yield* balance(account), before + 10_007)
    }))
})
