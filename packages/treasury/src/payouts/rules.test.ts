import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "@svc/kernel/road/decision"
import { DateTime, Result, Schema } from "effect"
import { type TransferInstrument, TransferInstrumentId } from "../transfer-instruments/model.ts"
import { create as createInstrument } from "../transfer-instruments/rules.ts"
import { payoutMachine, type PayoutTrigger } from "./machine.ts"
import { Payout, PayoutId, payouts, type PayoutStatus, payoutStatuses } from "./model.ts"
import { answeredAt, answerOf } from "./provider/bank.ts"
import * as rules from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T12:00:00.000Z")
const instrument: TransferInstrument = {
  ...createInstrument({ type: "bank_account", currency: "EUR", holder_name: "Acme", number: "DE89370400440532013000" }, {
    id: TransferInstrumentId.make("ti_01KDTQ2E8000000000000000AA"),
    account: { id: "acct_01KDTQ2E8000000000000000AA" },
    number: "DE89370400440532013000",
    sealed: { key: "a", box: "AA" },
    at
  }).instrument,
  status: "active"
}
const making: rules.PayoutFacts = { id: PayoutId.make("po_01KDTQ2E8000000000000000AA"), instrument, fee_amount: 25, automatic: false, at }
const made = Result.getOrThrow(rules.create(1_000, "EUR", making))

const inState = (status: PayoutStatus): Payout => ({
  ...made.payout,
  status,
  completed_at: status === "completed" ? at : null,
  failure_reason: status === "failed" ? "No." : null
})

const took: rules.BankAnswer = { _tag: "Took" }
const submitted = (payout: Payout, stopped?: string) => rules.submit(payout, { at, stopped, answered_at: answeredAt(at) })

const answered = (from: PayoutStatus, when: PayoutStatus, said: rules.BankAnswer) =>
  from === when ? rules.answer(inState(from), said, at)?.payout.status : undefined

/** Where each trigger leads from this state; undefined where there is no such move. */
const attempts: Readonly<Record<Exclude<PayoutTrigger, "create">, (from: PayoutStatus) => PayoutStatus | undefined>> = {
  cancel: (from) => Result.getOrUndefined(rules.cancel(inState(from), at))?.payout.status,
  submit: (from) => submitted(inState(from))?.payout.status,
  stop: (from) => submitted(inState(from), "suspended")?.payout.status,
  complete: (from) => answered(from, "processing", took),
  reject: (from) => answered(from, "processing", { _tag: "Refused", reason: "No." }),
  return: (from) => answered(from, "completed", { _tag: "Took and returns", at })
}

const moved = (entries: ReadonlyArray<Entry>) =>
  entries.map(({ delta_available, delta_reserved, event_type }) => [event_type, delta_available, delta_reserved])

describe("a payout", () => {
  it("moves as the table says, and no other way", () => {
    for (const state of payoutStatuses) {
      for (const [trigger, attempt] of Object.entries(attempts)) {
        const row = payoutMachine.transitions.find(({ from, trigger: named }) => from === state && named === trigger)
        assert.strictEqual(attempt(state), row?.to, `${trigger} from ${state}`)
      }
      if (state !== "processing" && state !== "completed") {
        assert.isUndefined(rules.answer(inState(state), { _tag: "Took and returns", at }, at))
      }
    }
  })

  it("holds its money from the first moment and pays its fee, can be cancelled for an hour, and gives both back", () => {
    assert.deepStrictEqual(moved(made.entries), [["payout_initiated", -1_000, 1_000], ["fee_charged", -25, 0]])
    assert.deepStrictEqual(made.set, [{ kind: "payout.due", resource_id: made.payout.id, due_at: DateTime.add(at, { hours: 1 }) }])
    const cancelled = Result.getOrThrow(rules.cancel(made.payout, at))
    assert.deepStrictEqual(moved(cancelled.entries), [["payout_cancelled", 1_000, -1_000], ["fee_refunded", 25, 0]])
    assert.deepStrictEqual(cancelled.clear.length, 1)
  })

  it("arrives, is refused, or comes back, as the simulated bank says of its number", () => {
    const arrives = (number: string) => {
      const sent = submitted(made.payout)!
      assert.deepStrictEqual([sent.payout.status, moved(sent.entries), sent.set[0]?.due_at], [
        "processing",
        [],
        DateTime.add(at, { days: 1 })
      ])
      const told = rules.answer(sent.payout, answerOf(number, sent.payout, at), at)!
      return { told, back: rules.answer(told.payout, answerOf(number, told.payout, at), at) }
    }
    const good = arrives("DE89370400440532013000")
    assert.deepStrictEqual([good.told.payout.status, moved(good.told.entries), good.back], [
      "completed",
      [["payout_completed", 0, -1_000]],
      undefined
    ])
    const refused = arrives("DE13370400440532010003").told
    assert.deepStrictEqual([refused.payout.status, moved(refused.entries)], ["failed", [["payout_failed", 1_000, -1_000], [
      "fee_refunded",
      25,
      0
    ]]])
    const { back, told } = arrives("DE83370400440532010004")
    assert.deepStrictEqual([told.payout.status, told.set[0]?.due_at], ["completed", DateTime.add(at, { days: 2 })])
    assert.deepInclude(back?.payout, { status: "failed", failure_reason: "returned" })
    assert.deepStrictEqual(moved(back?.entries ?? []), [["payout_returned", 1_000, 0]])
  })

  it("is counted at its instrument while it is on its way, and never twice", () => {
    const net = (decisions: ReadonlyArray<rules.PayoutDecision<unknown> | undefined>) =>
      decisions.flatMap((one) => one?.counters ?? []).reduce((sum, { add }) => sum + add.reserved, 0)
    const sent = submitted(made.payout)
    for (const said of [took, { _tag: "Refused", reason: "No." }, { _tag: "Took and returns", at }] as const) {
      const told = rules.answer(sent!.payout, said, at)
      assert.strictEqual(net([made, sent, told, rules.answer(told!.payout, said, at)]), 0, said._tag)
    }
    assert.strictEqual(net([made, Result.getOrThrow(rules.cancel(made.payout, at))]), 0)
    assert.strictEqual(net([made, submitted(made.payout, "suspended")]), 0)
  })

  it("goes to an active instrument in its own currency only", () => {
    const refused = (more: Partial<TransferInstrument>, currency = "EUR") =>
      Result.isFailure(rules.create(1_000, currency, { ...making, instrument: { ...instrument, ...more } }))
    assert.isTrue(refused({}, "USD"))
    for (const status of ["pending", "verified", "failed", "archived"] as const) assert.isTrue(refused({ status }), status)
    assert.isFalse(refused({}))
  })

  it("of a schedule is made at midnight, or at that before Monday, in UTC", () => {
    const next = (schedule: "daily" | "weekly", from: string) => DateTime.formatIso(rules.nextTime(schedule, DateTime.makeUnsafe(from)))
    assert.strictEqual(next("daily", "2026-01-01T00:00:00.000Z"), "2026-01-02T00:00:00.000Z")
    assert.strictEqual(next("daily", "2026-02-28T23:59:59.999Z"), "2026-03-01T00:00:00.000Z")
    // The first of January of 2026 is a Thursday.
    assert.strictEqual(next("weekly", "2026-01-01T12:00:00.000Z"), "2026-01-05T00:00:00.000Z")
    assert.strictEqual(next("weekly", "2026-01-04T23:59:59.999Z"), "2026-01-05T00:00:00.000Z")
    assert.strictEqual(next("weekly", "2026-01-05T00:00:00.000Z"), "2026-01-12T00:00:00.000Z")
  })

  it("is encoded as its schema encodes it, for the row and for the wire", () => {
    for (const one of payoutStatuses.map(inState)) {
      assert.deepStrictEqual(payouts.encode(one).row, { ...Schema.encodeSync(Payout)(one) })
      assert.strictEqual(payouts.encode(one).wire, JSON.stringify(Schema.encodeSync(Payout.json)(one)))
    }
  })
})
