import { assert, describe, it } from "@effect/vitest"
import { GENESIS_HASH, eventHash, hashInput } from "@svc/kernel/road/chain"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { ledgerEventTypes, post } from "./routes.ts"
import type { LedgerEventType } from "./routes.ts"

const A = 1_000

type Row = readonly [LedgerEventType, "debit" | "credit", available: number, pending: number, reserved: number, counter: string, counter_delta: number]

/** What each event does to an amount of 1,000, written out by hand from the accounting rules. */
const table: ReadonlyArray<Row> = [
  ["payment_authorized", "credit", 0, 0, 0, "MEMO", 0],
  ["payment_failed", "debit", 0, 0, 0, "MEMO", 0],
  ["payment_captured", "credit", 0, 1_000, 0, "P.rail_clearing", -1_000],
  ["fee_charged", "debit", 0, -1_000, 0, "P.fees", 1_000],
  ["fee_refunded", "credit", 0, 1_000, 0, "P.fees", -1_000],
  ["settlement_queued", "credit", 0, 0, 0, "MEMO", 0],
  ["settlement_completed", "credit", 1_000, -1_000, 0, "", 0],
  ["settlement_failed", "debit", 0, 0, 0, "MEMO", 0],
  ["payment_refunded", "debit", 0, -1_000, 0, "P.rail_clearing", 1_000],
  ["conversion_executed", "debit", 0, -1_000, 0, "P.fx", 1_000],
  ["quote_generated", "credit", 0, 0, 0, "MEMO", 0],
  ["dispute_opened", "debit", -1_000, 0, 1_000, "", 0],
  ["dispute_won", "credit", 1_000, 0, -1_000, "", 0],
  ["dispute_lost", "debit", 0, 0, -1_000, "P.rail_clearing", 1_000],
  ["dispute_accepted", "debit", 0, 0, -1_000, "P.rail_clearing", 1_000],
  ["dispute_expired", "debit", 0, 0, -1_000, "P.rail_clearing", 1_000],
  ["reserve_held", "debit", -1_000, 0, 1_000, "", 0],
  ["reserve_released", "credit", 1_000, 0, -1_000, "", 0],
  ["reserve_forfeited", "debit", 0, 0, -1_000, "P.recoveries", 1_000],
  ["payout_initiated", "debit", -1_000, 0, 1_000, "", 0],
  ["payout_completed", "debit", 0, 0, -1_000, "P.bank", 1_000],
  ["payout_failed", "credit", 1_000, 0, -1_000, "", 0],
  ["payout_cancelled", "credit", 1_000, 0, -1_000, "", 0],
  ["payout_returned", "credit", 1_000, 0, 0, "P.bank", -1_000],
  ["orchestration_leg_debit", "debit", 0, 0, 0, "MEMO", 0],
  ["orchestration_leg_credit", "credit", 0, 0, 0, "MEMO", 0],
  ["orchestration_leg_reversed", "debit", 0, 0, 0, "MEMO", 0],
  ["gift_card_issued", "credit", 0, 0, 0, "MEMO", 0],
  ["gift_card_loaded", "debit", 0, -1_000, 1_000, "", 0],
  ["gift_card_redeemed", "credit", 1_000, 0, -1_000, "", 0]
]

const posting = { amount: A, currency: "USD", resource_type: "payment_intent", resource_id: "pi_1" }

describe("routes", () => {
  it.each(table)("%s is a %s of %i available, %i pending, %i reserved", (event_type, direction, available, pending, reserved, counter, counter_delta) => {
    assert.deepStrictEqual(post(event_type, posting), {
      ...posting,
      event_type,
      direction,
      delta_available: available,
      delta_pending: pending,
      delta_reserved: reserved,
      counter_account: counter,
      counter_delta
    })
  })

  it("are these thirty and no others", () => {
    assert.strictEqual(table.length, 30)
    assert.deepStrictEqual(table.map(([event_type]) => event_type).sort(), [...ledgerEventTypes].sort())
  })

  // Those whose amount may come out of available instead, or in part.
  it.each([
    ["fee_charged", 0, -1_000, 0, 0],
    ["fee_refunded", 0, 1_000, 0, 0],
    ["payment_refunded", 0, -1_000, 0, 0],
    ["payment_refunded", 400, -600, -400, 0],
    ["gift_card_loaded", 0, -1_000, 0, 1_000]
  ] as const)("%s with %i through pending", (event_type, through_pending, available, pending, reserved) => {
    const { delta_available, delta_pending, delta_reserved } = post(event_type, { ...posting, through_pending })
    assert.deepStrictEqual([delta_available, delta_pending, delta_reserved], [available, pending, reserved])
  })

  it.each([
    ["a negative amount", { amount: -1 }],
    ["a fraction", { amount: 0.5 }],
    ["an amount beyond 2^53", { amount: 2 ** 53 }],
    ["more through pending than the amount", { through_pending: A + 1 }],
    ["less than nothing through pending", { through_pending: -1 }]
  ])("refuse %s", (_, wrong) => {
    assert.throws(() => post("payment_refunded", { ...posting, ...wrong }), RangeError)
  })

  it.prop(
    "sum to zero with their counter account, whatever the amount",
    [Schema.Literals(ledgerEventTypes), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999_999_999 }))],
    ([event_type, amount]) => {
      const made = post(event_type, { ...posting, amount })
      assert.strictEqual(made.delta_available + made.delta_pending + made.delta_reserved + made.counter_delta, 0)
      // Text of a negative zero would be another hash.
      assert.isFalse(Object.values(made).some((value) => Object.is(value, -0)))
    },
    { arbitrary: { runs: 1_000 } }
  )
})

const Vectors = Schema.fromJsonString(Schema.Struct({
  hash_chain: Schema.Array(Schema.Struct({ canonical: Schema.String, event_hash: Schema.String }))
}))

describe("the published vectors", () => {
  const { hash_chain } = Schema.decodeSync(Vectors)(readFileSync(new URL("../../../kernel/src/vectors.json", import.meta.url), "utf8"))
  const key = "3c9ae5ea-980f-4ebd-a027-04529942b95e"
  const steps = [
    { event_type: "payment_authorized", amount: 10_000, created_at: "2026-01-01T00:00:00.000Z" },
    { event_type: "payment_captured", amount: 10_000, created_at: "2026-01-01T00:00:01.000Z" },
    { event_type: "fee_charged", amount: 320, created_at: "2026-01-01T00:00:01.000Z" }
  ] as const

  it("come out of routes and chain", () => {
    assert.strictEqual(hash_chain.length, steps.length)
    let previous_hash = GENESIS_HASH
    for (const [n, { amount, created_at, event_type }] of steps.entries()) {
      const event = {
        ...post(event_type, { amount, currency: "USD", resource_type: "payment_intent", resource_id: "pi_0001" }),
        id: `fe_000${n + 1}`,
        merchant_id: "mer_demo",
        sequence_id: n + 1,
        idempotency_key: key,
        previous_hash,
        created_at
      }
      assert.strictEqual(hashInput(event), hash_chain[n]?.canonical)
      assert.strictEqual(eventHash(event), hash_chain[n]?.event_hash)
      previous_hash = eventHash(event)
    }
  })
})
