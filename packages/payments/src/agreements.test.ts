/** A check of the whole ledger knows what the rows of payments, settlements and disputes must be. */
import { assert, layer } from "@effect/vitest"
import { Ledger } from "@svc/ledger/financial-events/service"
import { layerWith, must, openMerchant } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

/** A merchant with two captured payments, one refunded in part, the other disputed. */
const merchant = Effect.gen(function*() {
  const { id, key } = yield* openMerchant("agreements")
  const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  const paid = Effect.gen(function*() {
    const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD" })
    yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
    return String(id)
  })
  yield* post(`/v1/payment_intents/${yield* paid}/refund`, { amount: 10 })
  yield* post("/v1/disputes/simulate", { payment_intent_id: yield* paid })
  return id
})

/** What nobody may do to a row, and which resource it makes differ. */
const edits: ReadonlyArray<readonly [table: string, what: string, of: string]> = [
  ["payment_intents", "captured_amount = captured_amount - 11, refunded_amount = least(refunded_amount, captured_amount - 11)", "captured_amount > 100"],
  ["payment_intents", "refunded_amount = refunded_amount + 1", "captured_amount > refunded_amount"],
  ["payment_intents", "fee_amount = fee_amount + 1", "fee_amount > 0"],
  ["settlements", "status = 'completed'", "status = 'queued'"],
  ["disputes", "amount = amount - 1", "amount > 1"],
  ["disputes", "fee_amount = fee_amount + 1", "true"],
  ["disputes", "status = 'won'", "status = 'open'"]
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
            `UPDATE ${table} SET ${what} WHERE id = (SELECT id FROM ${table} WHERE merchant_id = $1 AND ${of} LIMIT 1) RETURNING id`, [id])
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
