/** A check of the whole ledger knows what the rows of payments, settlements, disputes, payouts and gift cards must be. */
import { assert, layer } from "@effect/vitest"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { Ledger } from "@svc/ledger/financial-events/service"
import { layerWith, must, openMerchant } from "@svc/testkit/contract/service"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

/** What falls due within so many days from now. */
const pass = (days: number) => Effect.flatMap(now, (at) => runDue(DateTime.add(at, { days })))

/** Bank accounts whose bank takes a payout, refuses it, and sends it back. */
const [TAKES, REFUSES, RETURNS] = ["DE89370400440532013000", "DE13370400440532010003", "DE83370400440532010004"] as const

/**
 * A merchant with settled payments, payouts completed, failed, returned and cancelled, a gift card that paid and got part of it
 * back; and with two captured payments, one refunded in part, the other disputed.
 */
const merchant = Effect.gen(function*() {
  const { id, key } = yield* openMerchant("agreements")
  yield* must("PATCH", "/v1/account", { key, body: { settings: { settlement_delay_days: 0 } } })
  const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  const paid = Effect.gen(function*() {
    const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD" })
    yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
    return String(id)
  })
  yield* Effect.replicateEffect(paid, 10)
  yield* pass(0)
  const payOut = Effect.fnUntraced(function*(number: string) {
    const { id } = yield* post("/v1/transfer_instruments", { type: "bank_account", currency: "USD", holder_name: "Acme", number })
    yield* must("POST", `/v1/transfer_instruments/${String(id)}/verify`, { key, body: { method: "instant" } })
    yield* must("POST", `/v1/transfer_instruments/${String(id)}/activate`, { key })
    return String((yield* post("/v1/payouts", { amount: 1_000, currency: "USD", destination_id: id }))["id"])
  })
  yield* Effect.forEach([TAKES, REFUSES, RETURNS], payOut)
  yield* pass(10)
  yield* post(`/v1/payouts/${yield* payOut(TAKES)}/cancel`, {})
  const { code, id: card } = yield* must("POST", "/v1/gift_cards", { key, body: { currency: "USD" } })
  yield* post(`/v1/gift_cards/${String(card)}/load`, { amount: 2_000 })
  const { id: gift } = yield* post("/v1/payment_intents", { amount: 500, currency: "USD" })
  yield* post(`/v1/gift_cards/${String(card)}/redeem`, { code, payment_intent_id: gift })
  yield* post(`/v1/payment_intents/${String(gift)}/refund`, { amount: 200 })
  yield* post(`/v1/gift_cards/${String(card)}/redeem`, { code, amount: 300 })
  yield* post(`/v1/payment_intents/${yield* paid}/refund`, { amount: 10 })
  yield* post("/v1/disputes/simulate", { payment_intent_id: yield* paid })
  return id
})

/** What nobody may do to a row, and which resource it makes differ. */
const edits: ReadonlyArray<readonly [table: string, what: string, of: string]> = [
  [
    "payment_intents",
    "captured_amount = captured_amount - 11, refunded_amount = least(refunded_amount, captured_amount - 11)",
    "captured_amount > 100"
  ],
  ["payment_intents", "refunded_amount = refunded_amount + 1", "captured_amount > refunded_amount"],
  ["payment_intents", "fee_amount = fee_amount + 1", "fee_amount > 0"],
  ["settlements", "status = 'completed'", "status = 'queued'"],
  ["disputes", "amount = amount - 1", "amount > 1"],
  ["disputes", "fee_amount = fee_amount + 1", "true"],
  ["disputes", "status = 'won'", "status = 'open'"],
  ["payouts", "amount = amount + 1", "status = 'completed'"],
  ["payouts", "status = 'failed'", "status = 'completed'"],
  ["payouts", "status = 'completed', completed_at = now()", "failure_reason <> 'returned'"],
  ["payouts", "status = 'completed'", "failure_reason = 'returned'"],
  ["payouts", "status = 'pending'", "status = 'cancelled'"],
  ["gift_cards", "balance = balance + 1", "true"]
]

layer(layerWith({}), { excludeTestServices: true, timeout: "60 seconds" })("rows and their entries", (it) => {
  it.effect("agree, and a row that was changed is named", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const id = yield* merchant
      const ledger = yield* Ledger
      assert.deepInclude(yield* ledger.verify(id), { ok: true, first_break: null })
      for (const [table, what, of] of edits) {
        yield* Effect.ignore(sql.withTransaction(Effect.gen(function*() {
          const [row] = yield* sql.unsafe<{ readonly id: string }>(
            `UPDATE ${table} SET ${what} WHERE id = (SELECT id FROM ${table} WHERE merchant_id = $1 AND ${of} LIMIT 1) RETURNING id`,
            [id]
          )
          assert.isDefined(row, `${table} ${of}`)
          assert.deepInclude((yield* ledger.verify(id)).first_break, { reason: "state_mismatch", resource_id: row?.id }, what)
          return yield* Effect.fail("back to what it was")
        })))
      }
      assert.isTrue((yield* ledger.verify(id)).ok)
      // An entry about nothing that there is.
      const removed = yield* Effect.exit(sql.withTransaction(Effect.gen(function*() {
        yield* sql`DELETE FROM disputes WHERE merchant_id = ${id}`
        assert.deepInclude((yield* ledger.verify(id)).first_break, { reason: "state_mismatch" })
        return yield* Effect.fail("back to what it was")
      })))
      assert.strictEqual(removed._tag, "Failure")
    }))
})
