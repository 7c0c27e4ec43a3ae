/** What must hold of the legs that payments on several rails leave in the ledger. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * M2: a payment that came to its outcome over several rails has a leg for each attempt, `orchestration_leg_credit` for the one that took
 * it, and the reversal of each that was left; one that a single rail settled has no leg. A hold that is let go is reversed, too.
 */
export const legsBroken = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    SELECT p.id, p.state, p.tried, l.debits, l.credits, l.reversals FROM (
      SELECT merchant_id, id, state, CASE WHEN rails > 1 AND state NOT IN ('created', 'blocked', 'pending') AND selected_rail IS DISTINCT FROM 'gift_card' THEN tried ELSE 0 END AS tried,
        (authorized_amount > 0)::int AS taken, (state = 'failed')::int AS failed,
        (authorized_amount > captured_amount AND state IN ('cancelled', 'captured', 'refunded'))::int AS let_go
      FROM payment_intents, LATERAL (SELECT count(*)::int AS tried, count(DISTINCT a->>'rail')::int AS rails FROM jsonb_array_elements(attempts) a) t
      WHERE merchant_id = ANY(${accounts}::text[])) p
    LEFT JOIN LATERAL (
      SELECT count(*) FILTER (WHERE event_type = 'orchestration_leg_debit')::int AS debits, count(*) FILTER (WHERE event_type = 'orchestration_leg_credit')::int AS credits,
        count(*) FILTER (WHERE event_type = 'orchestration_leg_reversed')::int AS reversals
      FROM financial_events e WHERE e.merchant_id = p.merchant_id AND e.resource_id = p.id) l ON true
    WHERE (l.debits, l.credits, l.reversals) <> (CASE WHEN tried = 0 THEN (0, 0, let_go) ELSE (tried - taken, taken, tried - taken - failed + let_go) END)`
  return rows.map((row) => `M2: the legs of a payment are not those of its attempts ${JSON.stringify(row)}`)
})
