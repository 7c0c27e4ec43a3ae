import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { capturedIntent, facts, refundOf } from "../payment-intents/fixture.ts"
import type { PaymentIntent } from "../payment-intents/model.ts"
import { settlementMachine } from "./machine.ts"
import { Settlement, SettlementId, settlements, settlementStatuses } from "./model.ts"
import type { SettlementStatus } from "./model.ts"
import { queue, retry, RETRY_HOURS, shrink, step, submittedAnd } from "./rules.ts"
import type { SettlementDecision } from "./rules.ts"

const id = SettlementId.make("set_01KDVK5D80000000000000000A")
const nowhere = { payout_destination: null, payout_method: null, settlement_asset: null }
const arrives = (settlement: Settlement, intent: PaymentIntent, refused?: string): SettlementDecision => {
  const decided = step(settlement, {
    intent,
    at: DateTime.add(settlement.due_at, { hours: 1 }),
    destination: { ...nowhere, settlement_asset: "USDC" },
    refused
  })
  assert.isDefined(decided)
  return decided!
}

const eventTypes = ({ events }: SettlementDecision) => events.map(({ type }) => type)

/** A payment of 100.00 less a fee of 3.20, and its settlement. */
const captured = capturedIntent()
const queued = queue(id, captured, 2).settlement

const inState = (status: SettlementStatus): Settlement => ({
  ...queued,
  status,
  attempts: 1,
  completed_at: status === "completed" ? queued.updated_at : null
})

describe("a settlement", () => {
  it("is queued for what is unsettled of its payment, and due after the delay of the account", () => {
    const decided = queue(id, captured, 3)
    assert.deepInclude(decided.settlement, {
      status: "queued",
      amount: 9_680,
      currency: "USD",
      payment_intent_id: captured.id,
      attempts: 0,
      version: 1
    })
    assert.deepStrictEqual(decided.settlement.due_at, DateTime.add(captured.updated_at, { days: 3 }))
    assert.deepStrictEqual(decided.set, [{ kind: "settlement.due", resource_id: id, due_at: decided.settlement.due_at }])
  })

  it("is processed with where the account wants its money, and then takes it out of what a refund may take first", () => {
    const decided = arrives(queued, captured)
    const { entries, intent, set, settlement } = decided
    assert.deepInclude(settlement, { status: "processing", attempts: 1, settlement_asset: "USDC", version: 2 })
    assert.strictEqual(intent?.unsettled_amount, 0)
    assert.deepStrictEqual([entries, eventTypes(decided), set.length], [[], ["processing"], 1])
  })

  it("moves its amount from pending to available when it arrives", () => {
    const { settlement, intent } = arrives(queued, captured)
    const done = arrives(settlement, intent!)
    assert.strictEqual(done.settlement.status, "completed")
    assert.deepStrictEqual(
      done.entries.map(({ event_type, delta_available, delta_pending }) => [event_type, delta_available, delta_pending]),
      [["settlement_completed", 9_680, -9_680]]
    )
    assert.deepStrictEqual(eventTypes(done), ["completed"])
    assert.isUndefined(step(done.settlement, { intent: intent!, at: done.settlement.updated_at, destination: nowhere }))
  })

  it("that is answered in the commit of its submission writes what two commits would, and the timer of the second alone", () => {
    for (const refused of [undefined, "bank says no"]) {
      const submission = arrives(queued, captured)
      const answered = arrives(submission.settlement, submission.intent!, refused)
      const both = submittedAnd(submission, answered)
      assert.deepStrictEqual(both.settlement, answered.settlement)
      assert.deepStrictEqual(both.intent, answered.intent ?? submission.intent)
      assert.deepStrictEqual(both.entries, answered.entries)
      assert.deepStrictEqual([both.set, both.clear], [answered.set, answered.clear])
      assert.deepStrictEqual(
        both.events.map(({ settlement: { status, version }, type }) => [type, status, version]),
        [["processing", "processing", 2], refused === undefined ? ["completed", "completed", 3] : ["failed", "failed", 3]]
      )
    }
  })

  it("that fails is unsettled again, and tried three more times by itself", () => {
    let { settlement, intent = captured }: { settlement: Settlement; intent?: PaymentIntent | undefined } = {
      settlement: queued,
      intent: captured
    }
    const waits: Array<number> = []
    for (let n = 0; n <= RETRY_HOURS.length; n++) {
      const sent = arrives(settlement, intent)
      const failed = arrives(sent.settlement, sent.intent!, "bank says no")
      assert.deepInclude(failed.settlement, { status: "failed", failure_reason: "bank says no", attempts: n + 1 })
      assert.strictEqual(failed.intent?.unsettled_amount, 9_680)
      assert.deepStrictEqual([eventTypes(failed), failed.entries[0]?.event_type, failed.entries[0]?.delta_pending], [
        ["failed"],
        "settlement_failed",
        0
      ])
      const [timer] = failed.set
      if (timer !== undefined) waits.push((timer.due_at.epochMilliseconds - failed.settlement.updated_at.epochMilliseconds) / 3_600_000)
      else assert.strictEqual(n, RETRY_HOURS.length)
      settlement = arrives(failed.settlement, failed.intent!).settlement
      intent = failed.intent!
      assert.strictEqual(settlement.status, "queued")
    }
    assert.deepStrictEqual(waits, [1, 4, 24])
  })

  it("shrinks by a refund while it is queued, and is completed with nothing when refunds take all of it", () => {
    const some = refundOf(captured, 1_000).intent
    const smaller = shrink(queued, some)
    assert.deepInclude(smaller?.settlement, { amount: 8_680, status: "queued" })
    const all = refundOf(some, 9_000).intent
    const done = shrink(smaller!.settlement, all)
    assert.deepInclude(done?.settlement, { amount: 0, status: "completed", completed_at: all.updated_at })
    assert.deepStrictEqual([done && eventTypes(done), done?.clear.length, done?.entries[0]?.amount], [["completed"], 1, 0])
  })

  it("that is on its way or done does not shrink: the refund is taken from what is available", () => {
    for (const status of ["processing", "completed"] as const) assert.isUndefined(shrink(inState(status), refundOf(captured, 1_000).intent))
  })

  it("of a payment that its fee took all of is completed from the start", () => {
    const all = capturedIntent(20, facts({ fee_bps: 0, fee_fixed: 30 }))
    const decided = queue(id, all, 2)
    assert.deepInclude(decided.settlement, { amount: 0, status: "completed" })
    assert.deepStrictEqual([decided.set, decided.clear, eventTypes(decided)], [[], [], ["completed"]])
  })

  it("is tried again by a request from failed only", () => {
    const allowed = settlementStatuses.filter((status) => Result.isSuccess(retry(inState(status), queued.updated_at)))
    assert.deepStrictEqual(
      allowed,
      settlementMachine.transitions.flatMap(({ from, trigger }) => trigger === "retry" && from !== null ? [from] : [])
    )
  })

  it.prop("is encoded as its schema encodes it, for the row and for the wire", [Settlement], ([settlement]) => {
    assert.deepStrictEqual(settlements.encode(settlement).row, { ...Schema.encodeSync(Settlement)(settlement) })
    assert.strictEqual(settlements.encode(settlement).wire, JSON.stringify(Schema.encodeSync(Settlement.json)(settlement)))
  })
})
