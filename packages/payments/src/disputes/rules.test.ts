import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { capturedIntent, refundOf } from "../payment-intents/fixture.ts"
import { refundable } from "../payment-intents/rules/refund.ts"
import { disputeMachine, type DisputeTrigger } from "./machine.ts"
import { Dispute, DisputeId, disputes, type DisputeStatus, disputeStatuses } from "./model.ts"
import {
  accept,
  addEvidence,
  disputable,
  type DisputeDecision,
  type DisputeOpening,
  type DisputeReport,
  open,
  proceed,
  submit
} from "./rules.ts"

const id = DisputeId.make("dp_01KDVK5D80000000000000000A")
/** A payment of 100.00 less a fee of 3.20. */
const captured = capturedIntent()
const at = captured.updated_at
const report: DisputeReport = { amount: undefined, reason: "10.4", network_reference: "sim_1" }
const opening: DisputeOpening = { id, intent: captured, previous: undefined, fee: 1_500, at }
const later = (days: number) => DateTime.add(at, { days })
const never = () => undefined

const opened = Result.getOrThrow(open(report, opening))
const answered = (dispute: Dispute) => Result.getOrThrow(submit(dispute, { other: "delivered" }, later(1), never))

/** One of each status. */
const inStatus = (status: DisputeStatus): Dispute => {
  const answer = answered(opened.dispute).dispute
  const reached: Readonly<Record<DisputeStatus, () => Dispute>> = {
    open: () => opened.dispute,
    under_review: () => answer,
    won: () => proceed(answer, opened.intent!, later(2), "won")!.dispute,
    lost: () => proceed(answer, opened.intent!, later(2), "lost")!.dispute,
    accepted: () => Result.getOrThrow(accept(opened.dispute, later(1))).dispute,
    expired: () => proceed(opened.dispute, opened.intent!, later(20), undefined)!.dispute
  }
  return reached[status]()
}

/** What each trigger does to a dispute of this status; undefined where it is refused, or nothing happens. */
const verbs: Readonly<Record<Exclude<DisputeTrigger, "open">, (dispute: Dispute) => DisputeDecision | undefined>> = {
  add_evidence: (dispute) => Result.getOrUndefined(addEvidence(dispute, { other: "more" }, later(1))),
  submit: (dispute) => Result.getOrUndefined(submit(dispute, { other: "more" }, later(1), never)),
  accept: (dispute) => Result.getOrUndefined(accept(dispute, later(1))),
  expire: (dispute) => proceed(dispute, opened.intent!, later(20), undefined),
  win: (dispute) => proceed(dispute, opened.intent!, later(2), "won"),
  lose: (dispute) => proceed(dispute, opened.intent!, later(2), "lost")
}

const moves = ({ entries }: DisputeDecision) =>
  entries.map((
    { delta_available, delta_pending, delta_reserved, event_type }
  ) => [event_type, delta_available, delta_pending, delta_reserved])

describe("a dispute", () => {
  it.each(disputeStatuses.flatMap((status) => Object.entries(verbs).map(([trigger, verb]) => [status, trigger, verb] as const)))(
    "that is %s: %s does what the table says",
    (status, trigger, verb) => {
      const to = disputeMachine.transitions.find((row) => row.from === status && row.trigger === trigger)?.to
      assert.strictEqual(verb(inStatus(status))?.dispute.status, to)
    }
  )

  it("holds its money and costs its fee; what is held is the payment's disputed money", () => {
    assert.deepInclude(opened.dispute, { status: "open", amount: 10_000, fee_amount: 1_500, evidence_due_by: later(20) })
    assert.deepStrictEqual(moves(opened), [["dispute_opened", -10_000, 0, 10_000], ["fee_charged", -1_500, 0, 0]])
    assert.strictEqual(opened.intent?.disputed_amount, 10_000)
    assert.deepStrictEqual(opened.set, [{ kind: "dispute.due", resource_id: id, due_at: later(20) }])
    assert.deepStrictEqual(moves(Result.getOrThrow(open(report, { ...opening, fee: 0 }))).length, 1)
  })

  it.each([["won", [["dispute_won", 10_000, 0, -10_000]], 0], ["lost", [["dispute_lost", 0, 0, -10_000]], undefined]] as const)(
    "that is %s lets go of it",
    (verdict, entries, disputed) => {
      const decided = proceed(answered(opened.dispute).dispute, opened.intent!, later(2), verdict)!
      assert.deepStrictEqual(moves(decided), entries.map((entry) => [...entry]))
      assert.strictEqual(decided.intent?.disputed_amount, disputed)
      assert.deepStrictEqual([decided.dispute.closed_at, decided.clear.length], [later(2), 1])
    }
  )

  it("is about what was not refunded where the report says nothing else, and of a payment that was refunded whole about all of it", () => {
    const some = refundOf(captured, 4_000).intent
    const rest = Result.getOrThrow(open(report, { ...opening, intent: some }))
    assert.strictEqual(rest.dispute.amount, 6_000)
    assert.strictEqual(Result.getOrThrow(open(report, { ...opening, intent: rest.intent! })).dispute.amount, 4_000)
    const all = refundOf(captured, 10_000).intent
    assert.strictEqual(Result.getOrThrow(open(report, { ...opening, intent: all })).dispute.amount, 10_000)
  })

  it("may be about money that was refunded, and never about more than was captured and is not disputed", () => {
    const some = refundOf(captured, 4_000).intent
    assert.strictEqual(disputable(some), 10_000)
    const more = Result.getOrThrow(open({ ...report, amount: 9_000 }, { ...opening, intent: some }))
    assert.deepStrictEqual(moves(more), [["dispute_opened", -9_000, 0, 9_000], ["fee_charged", -1_500, 0, 0]])
    assert.strictEqual(refundable(more.intent!), 0)
    assert.isTrue(Result.isFailure(open({ ...report, amount: 1_001 }, { ...opening, intent: more.intent! })))
    assert.isTrue(Result.isFailure(open({ ...report, amount: 10_001 }, { ...opening, intent: some })))
    assert.isTrue(Result.isFailure(open(report, { ...opening, intent: opened.intent! })))
  })

  it("is followed by others where it takes money that was not refunded before, when it opens and when it is won", () => {
    for (const [refunded, count] of [[4_000, 1], [10_000, 0]] as const) {
      const first = Result.getOrThrow(open({ ...report, amount: 10_000 }, { ...opening, intent: refundOf(captured, refunded).intent }))
      const closed = proceed(answered(first.dispute).dispute, first.intent!, later(2), "won")!
      assert.deepStrictEqual([first.moments.length, closed.moments.length], [count, count])
    }
  })

  it("is not answered when its time is over, nor with nothing, and waits until then", () => {
    assert.isTrue(Result.isFailure(submit(opened.dispute, { other: "late" }, later(20), never)))
    assert.isTrue(Result.isFailure(submit(opened.dispute, {}, later(1), never)))
    assert.isUndefined(proceed(opened.dispute, opened.intent!, later(19), undefined))
  })

  it.prop("is encoded as its schema encodes it, for the row and for the wire", [Dispute], ([any]) => {
    const dispute = disputes.decode(Schema.encodeSync(Dispute)(any))
    assert.deepStrictEqual(disputes.encode(dispute).row, { ...Schema.encodeSync(Dispute)(dispute) })
    assert.strictEqual(disputes.encode(dispute).wire, JSON.stringify(Schema.encodeSync(Dispute.json)(dispute)))
  })
})
