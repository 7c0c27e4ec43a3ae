/** What becomes of a correction when a later file says something else. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { balance, captureLine, detail, openMerchant, pay, resolve, upload } from "../fixture.ts"
import type { MismatchType, Resolution } from "./model.ts"

/** Uploads a file in which one thing differs, resolves that, and gives the mismatch and its report. */
const differing = Effect.fnUntraced(
  function*(account: AccountFacts, lines: ReadonlyArray<string>, type: MismatchType, resolution: Resolution = "accept_external") {
    const report = yield* upload(account, lines)
    const [mismatch, ...others] = report.mismatches
    assert.deepStrictEqual([mismatch?.type, others.length], [type, 0])
    yield* resolve(account, mismatch!.id, resolution)
    return { mismatch: mismatch!, report: report.id }
  }
)

/** The platform's fees, which bear what is written off. */
const borne = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly sum: number }>`SELECT coalesce(sum(counter_delta), 0)::bigint AS sum FROM financial_events
    WHERE merchant_id = ${account.id} AND counter_account = 'P.fees' AND resource_type = 'reconciliation_mismatch'`
  return row?.sum
})

const agrees = { matched: 1, mismatched: 0, unreconciled: 0 }

layer(services, { timeout: 60_000 })("a correction that a later file disproves", (it) => {
  it.effect.each(
    [
      ["missing_external", "accept_external", -10_000],
      ["missing_external", "write_off", 0],
      ["amount", "accept_external", -10],
      ["amount", "write_off", 0],
      ["duplicate", "accept_external", 10_000],
      ["duplicate", "write_off", 0],
      ["timing", "accept_external", 0]
    ] as const
  )("%s, resolved with %s, is reversed once", ([type, resolution, change]) =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const line = captureLine(payment)
      const lines = {
        missing_external: [],
        amount: [captureLine(payment, 9_990)],
        duplicate: [line, line],
        timing: [captureLine(payment, 10_000, -5)]
      }[type]
      const before = yield* balance(account)
      const { mismatch, report } = yield* differing(account, lines, type, resolution)
      assert.strictEqual(yield* balance(account), before + change)
      for (let n = 0; n < 2; n++) {
        const later = yield* upload(account, [line])
        assert.deepStrictEqual([later.mismatches, later.counts], [[], agrees])
        assert.deepStrictEqual([yield* balance(account), yield* borne(account)], [before, 0])
        const [reversed] = (yield* detail(account, report)).mismatches
        if (n === 0) assert.deepInclude(reversed, { id: mismatch.id, status: "resolved", resolution, superseded_by: later.id })
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual([
        ...(yield* sql`SELECT id FROM financial_events WHERE merchant_id = ${account.id} AND resource_id = ${mismatch.id} AND reconciliation_status <> 'matched'`)
      ], [])
      // The provider says it again: nothing of what was decided holds any more.
      assert.deepStrictEqual((yield* upload(account, lines)).mismatches.map((one) => one.type), type === "missing_external" ? [] : [type])
    }))

  it.effect("is reversed by a file without references", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const before = yield* balance(account)
      yield* differing(account, [], "missing_external")
      const later = yield* upload(account, [captureLine(payment).replace(String(payment.provider_reference), "")])
      assert.deepStrictEqual([later.mismatches, later.counts, yield* balance(account)], [[], agrees, before])
    }))

  it.effect("is reversed when the ledger itself has learned of what only the provider knew", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const first = yield* pay(account)
      const unknown = captureLine(first).replace(String(first.provider_reference), "not_yet_known")
      yield* differing(account, [captureLine(first), unknown], "missing_internal")
      const second = yield* pay(account)
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE payment_intents SET provider_reference = 'not_yet_known' WHERE merchant_id = ${account.id} AND id = ${second.id}`
      const twice = yield* balance(account)
      const later = yield* upload(account, [captureLine(first), unknown])
      assert.deepStrictEqual([later.mismatches, later.counts, yield* balance(account)], [[], { ...agrees, matched: 2 }, twice - 10_000])
    }))

  it.effect("is left alone by a file that says nothing of it", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const [payment, other] = [yield* pay(account), yield* pay(account)]
      const before = yield* balance(account)
      yield* differing(account, [captureLine(payment), captureLine(payment), captureLine(other)], "duplicate")
      assert.deepStrictEqual((yield* upload(account, [captureLine(other)])).mismatches, [])
      assert.strictEqual(yield* balance(account), before + 10_000)
    }))
})

layer(services, { timeout: 60_000 })("corrections of two files", (it) => {
  it.effect.each(
    [
      [["accept_external", 9_990], ["accept_external", 9_995], -5],
      [["write_off", 9_990], ["accept_external", 9_995], -5],
      [["accept_external", 9_990], ["write_off", 9_995], 0],
      [["write_off", 9_990], ["write_off", 10_020], 0],
      [["accept_external", 9_990], ["accept_external", 10_020], 20],
      [["accept_external", 9_990], ["accept_internal", 9_995], -10],
      [["accept_external", 0], ["accept_external", 9_000], -1_000]
    ] as const
  )(
    "%j and %j of one event change the balance by %d, and the file that agrees with the payment takes both back",
    ([[first, one], [second, other], change]) =>
      Effect.gen(function*() {
        const account = yield* openMerchant()
        const payment = yield* pay(account)
        const before = yield* balance(account)
        const { mismatch, report } = yield* differing(
          account,
          one === 0 ? [] : [captureLine(payment, one)],
          one === 0 ? "missing_external" : "amount",
          first
        )
        const next = yield* differing(account, [captureLine(payment, other)], one === 0 ? "missing_internal" : "amount", second)
        assert.deepInclude(next.mismatch.expected ?? {}, one === 0 ? {} : { amount: one, currency: "USD" })
        assert.isNotNull(next.mismatch.financial_event_id)
        assert.strictEqual(yield* balance(account), before + change)
        if (second !== "accept_internal") {
          assert.deepInclude((yield* detail(account, report)).mismatches[0], { id: mismatch.id, superseded_by: next.mismatch.id })
        }
        assert.deepStrictEqual((yield* upload(account, [captureLine(payment, other)])).mismatches, [])
        assert.strictEqual(yield* balance(account), before + change)
        assert.deepStrictEqual((yield* upload(account, [captureLine(payment)])).mismatches, [])
        assert.deepStrictEqual([yield* balance(account), yield* borne(account)], [before, 0])
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      })
  )

  it.effect("of what only the provider knows add up to what the second says", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const before = yield* balance(account)
      const file = (
        amount: number
      ) => [captureLine(payment), captureLine(payment, amount).replace(String(payment.provider_reference), "elsewhere")]
      yield* differing(account, file(500), "missing_internal")
      yield* differing(account, file(600), "amount")
      assert.strictEqual(yield* balance(account), before + 600)
      assert.deepStrictEqual((yield* upload(account, file(600))).mismatches, [])
      yield* differing(account, file(500), "amount")
      assert.strictEqual(yield* balance(account), before + 500)
    }))

  it.effect("of a line that is there three times are each for one of them", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const before = yield* balance(account)
      const line = captureLine(payment)
      yield* differing(account, [line, line], "duplicate")
      yield* differing(account, [line, line, line], "duplicate")
      assert.strictEqual(yield* balance(account), before + 20_000)
      assert.deepStrictEqual((yield* upload(account, [line, line])).mismatches, [])
      assert.strictEqual(yield* balance(account), before + 10_000)
    }))

  it.effect("of one event, both still open, do not add up whichever is accepted first", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const before = yield* balance(account)
      const [first] = (yield* upload(account, [captureLine(payment, 9_990)])).mismatches
      const [second] = (yield* upload(account, [captureLine(payment, 9_995)])).mismatches
      // The later report closed the first; opened again, as if both reports had been made at once.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE reconciliation_mismatches SET status = 'open', resolution = NULL, note = NULL, resolved_by = NULL, resolved_at = NULL WHERE merchant_id = ${account.id} AND id = ${
        first!.id
      }`
      yield* resolve(account, first!.id, "accept_external")
      yield* resolve(account, second!.id, "accept_external")
      assert.strictEqual(yield* balance(account), before - 5)
    }))
})
