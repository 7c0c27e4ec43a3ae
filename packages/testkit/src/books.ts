/** A ledger of any size, written past the commit road: for what reads ledgers, where making the payments would take hours. */
import { makeId } from "@svc/kernel/values/ids"
import { eventHash, GENESIS_HASH, HASH_VERSION } from "@svc/ledger/financial-events/chain"
import { post } from "@svc/ledger/financial-events/routes"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Financial events of one payment. */
export const EVENTS_OF_PAYMENT = 4
/** Payments of one statement. */
const AT_ONCE = 500
const START = Date.parse("2026-01-01T00:00:00.000Z")

const amountOf = (n: number): number => 100 + n % 100_000
const intentId = (n: number): string => `pi_${String(n).padStart(26, "0")}`

/** The entries of a captured payment, as its rows lie in the ledger. */
const entriesOf = (n: number) => {
  const of = { currency: "USD", resource_type: "payment_intent", resource_id: intentId(n) }
  const amount = amountOf(n)
  return [
    post("payment_authorized", { ...of, amount }),
    post("payment_captured", { ...of, amount }),
    post("fee_charged", { ...of, amount: 30 }),
    post("settlement_queued", { ...of, amount: amount - 30 })
  ]
}

/**
 * The events of so many payments of an account whose ledger is empty: its chain, its head and its dollar balance. There are no rows of the
 * payments.
 */
export const fillLedger = Effect.fnUntraced(function*(account: string, payments: number) {
  const sql = yield* SqlClient.SqlClient
  let [sequence_id, previous_hash, available] = [0, GENESIS_HASH, 0]
  for (let from = 1; from <= payments; from += AT_ONCE) {
    const rows: Array<object> = []
    for (let n = from; n < Math.min(from + AT_ONCE, payments + 1); n++) {
      const created_at = new Date(START + n * 1_000).toISOString()
      for (const { counter_account, counter_delta, ...entry } of entriesOf(n)) {
        const event = {
          ...entry,
          id: makeId("fe", START + n * 1_000),
          merchant_id: account,
          sequence_id: ++sequence_id,
          idempotency_key: `key-${n}`,
          previous_hash,
          created_at
        }
        previous_hash = eventHash(event)
        available += entry.delta_pending
        rows.push({
          ...event,
          counter_account,
          counter_delta,
          ordinal: 0,
          hash_version: HASH_VERSION,
          event_hash: previous_hash,
          reconciliation_status: "pending"
        })
      }
    }
    yield* sql`INSERT INTO financial_events SELECT r.* FROM jsonb_populate_recordset(NULL::financial_events, ${
      JSON.stringify(rows)
    }::jsonb) r`
  }
  yield* sql`UPDATE account_heads SET ledger_seq = ${sequence_id}, ledger_hash = ${previous_hash}, event_seq = ${sequence_id} WHERE account_id = ${account}`
  yield* sql`INSERT INTO balance_accounts (account_id, currency, id, available, pending, reserved, updated_at)
    VALUES (${account}, 'USD', ${makeId("ba", START)}, 0, ${available}, 0, ${new Date(START + payments * 1_000).toISOString()}::timestamptz)
    ON CONFLICT (account_id, currency) DO UPDATE SET available = excluded.available, pending = excluded.pending, updated_at = excluded.updated_at`
})
