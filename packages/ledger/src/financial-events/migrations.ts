/** The ledger's table, what each of its rows must fulfil, and that none is ever changed or deleted. */
import { type Migrations, partitionNames, partitionsOf, statements } from "@svc/kernel/database/migrations"
import { routeCheck } from "./route-check.ts"

/** The database learns the routes of `routes.ts`, as they are when it runs. */
const learnRoutes = statements(routeCheck)

export const migrations: Migrations = {
  "26112101_financial_events": statements(
    // The only routes there were. Replaced below.
    `CREATE FUNCTION svc_route_allows(event_type text, amount bigint, counter_account text, counter_delta bigint,
       delta_available bigint, delta_pending bigint, delta_reserved bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
     BEGIN
       RETURN CASE event_type
         WHEN 'payment_captured' THEN counter_account = 'P.rail_clearing' AND delta_pending = amount AND delta_available = 0 AND delta_reserved = 0
         WHEN 'fee_charged' THEN counter_account = 'P.fees' AND counter_delta = amount AND delta_reserved = 0 AND (delta_pending = 0 OR delta_available = 0)
         WHEN 'fee_refunded' THEN counter_account = 'P.fees' AND counter_delta = -amount AND delta_reserved = 0 AND (delta_pending = 0 OR delta_available = 0)
         WHEN 'payment_refunded' THEN counter_account = 'P.rail_clearing' AND counter_delta = amount AND delta_pending <= 0 AND delta_available <= 0 AND delta_reserved = 0
         WHEN 'settlement_completed' THEN counter_account = '' AND delta_available = amount AND delta_pending = -amount AND delta_reserved = 0
         WHEN 'conversion_executed' THEN counter_account = 'P.fx' AND abs(delta_pending) = amount AND delta_available = 0 AND delta_reserved = 0
         WHEN 'dispute_opened' THEN counter_account = '' AND delta_available = -amount AND delta_reserved = amount AND delta_pending = 0
         WHEN 'dispute_won' THEN counter_account = '' AND delta_available = amount AND delta_reserved = -amount AND delta_pending = 0
         WHEN 'dispute_lost' THEN counter_account = 'P.rail_clearing' AND delta_reserved = -amount AND delta_available = 0 AND delta_pending = 0
         WHEN 'dispute_accepted' THEN counter_account = 'P.rail_clearing' AND delta_reserved = -amount AND delta_available = 0 AND delta_pending = 0
         WHEN 'dispute_expired' THEN counter_account = 'P.rail_clearing' AND delta_reserved = -amount AND delta_available = 0 AND delta_pending = 0
         WHEN 'reserve_held' THEN counter_account = '' AND delta_available = -amount AND delta_reserved = amount AND delta_pending = 0
         WHEN 'reserve_released' THEN counter_account = '' AND delta_available = amount AND delta_reserved = -amount AND delta_pending = 0
         WHEN 'reserve_forfeited' THEN counter_account = 'P.recoveries' AND delta_reserved = -amount AND delta_available = 0 AND delta_pending = 0
         WHEN 'payout_initiated' THEN counter_account = '' AND delta_available = -amount AND delta_reserved = amount AND delta_pending = 0
         WHEN 'payout_completed' THEN counter_account = 'P.bank' AND delta_reserved = -amount AND delta_available = 0 AND delta_pending = 0
         WHEN 'payout_failed' THEN counter_account = '' AND delta_available = amount AND delta_reserved = -amount AND delta_pending = 0
         WHEN 'payout_cancelled' THEN counter_account = '' AND delta_available = amount AND delta_reserved = -amount AND delta_pending = 0
         WHEN 'payout_returned' THEN counter_account = 'P.bank' AND delta_available = amount AND delta_pending = 0 AND delta_reserved = 0
         WHEN 'gift_card_loaded' THEN counter_account = '' AND counter_delta = 0 AND delta_reserved = amount AND (delta_pending = 0 OR delta_available = 0)
         WHEN 'gift_card_redeemed' THEN counter_account = '' AND delta_available = amount AND delta_reserved = -amount AND delta_pending = 0
         ELSE event_type IN ('payment_authorized', 'payment_failed', 'settlement_queued', 'settlement_failed', 'quote_generated',
           'orchestration_leg_debit', 'orchestration_leg_credit', 'orchestration_leg_reversed', 'gift_card_issued')
           AND counter_account = 'MEMO' AND counter_delta = 0 AND delta_available = 0 AND delta_pending = 0 AND delta_reserved = 0
       END;
     END $$`,
    // All that a row must fulfil, in one function: a CHECK's own expression is parsed anew by every statement and
    // partition, while the body of a PL/pgSQL function is compiled once a session.
    `CREATE FUNCTION svc_financial_event_is_valid(sequence_id bigint, event_type text, direction text, amount bigint,
       delta_available bigint, delta_pending bigint, delta_reserved bigint, counter_account text, counter_delta bigint,
       reconciliation_status text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
     BEGIN
       RETURN sequence_id > 0 AND amount >= 0
         -- The sign of the first bucket that moves; a memo has the direction of what it notes.
         AND CASE sign(coalesce(nullif(delta_available, 0), nullif(delta_pending, 0), delta_reserved))
           WHEN 1 THEN direction = 'credit' WHEN -1 THEN direction = 'debit' ELSE direction IN ('debit', 'credit') END
         -- Each row is one journal transaction: the merchant's three buckets against one platform account.
         AND delta_available + delta_pending + delta_reserved + counter_delta = 0
         AND svc_route_allows(event_type, amount, counter_account, counter_delta, delta_available, delta_pending, delta_reserved)
         AND reconciliation_status IN ('pending', 'matched', 'mismatched', 'unreconciled');
     END $$`,
    `CREATE TABLE financial_events (
       id text NOT NULL,
       merchant_id text NOT NULL,
       sequence_id bigint NOT NULL,
       event_type text NOT NULL,
       direction text NOT NULL,
       amount bigint NOT NULL,
       currency text NOT NULL,
       delta_available bigint NOT NULL,
       delta_pending bigint NOT NULL,
       delta_reserved bigint NOT NULL,
       counter_account text NOT NULL,
       counter_delta bigint NOT NULL,
       idempotency_key text NOT NULL,
       ordinal integer NOT NULL,
       resource_type text NOT NULL,
       resource_id text NOT NULL,
       hash_version smallint NOT NULL,
       previous_hash text NOT NULL,
       event_hash text NOT NULL,
       reconciliation_status text NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (merchant_id, sequence_id),
       UNIQUE (merchant_id, idempotency_key, event_type, ordinal),
       CONSTRAINT financial_events_valid CHECK (svc_financial_event_is_valid(sequence_id, event_type, direction, amount,
         delta_available, delta_pending, delta_reserved, counter_account, counter_delta, reconciliation_status))
     ) PARTITION BY HASH (merchant_id)`,
    ...partitionsOf("financial_events"),
    `CREATE INDEX financial_events_id ON financial_events (merchant_id, id)`,
    `CREATE INDEX financial_events_resource ON financial_events (merchant_id, resource_id, sequence_id)`,
    `CREATE FUNCTION svc_ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF TG_OP = 'UPDATE' AND
          to_jsonb(NEW) - 'reconciliation_status' = to_jsonb(OLD) - 'reconciliation_status' THEN
         RETURN NEW;
       END IF;
       RAISE EXCEPTION 'financial_events is append-only: % refused; only reconciliation_status may change', TG_OP
         USING ERRCODE = 'SV002';
     END $$`,
    `CREATE TRIGGER financial_events_append_only BEFORE UPDATE OR DELETE ON financial_events
       FOR EACH ROW EXECUTE FUNCTION svc_ledger_is_append_only()`,
    `CREATE TRIGGER financial_events_no_truncate BEFORE TRUNCATE ON financial_events
       FOR EACH STATEMENT EXECUTE FUNCTION svc_ledger_is_append_only()`,
    ...partitionNames("financial_events").map((name) =>
      `CREATE TRIGGER financial_events_no_truncate BEFORE TRUNCATE ON ${name}
         FOR EACH STATEMENT EXECUTE FUNCTION svc_ledger_is_append_only()`
    )
  ),

  // A change of the routes is one more line, `learnRoutes` under a new number: a test says which. The word at the end is the
  // beginning of the SHA-256 of the check, so that the name tells which routes a database has learned.
  "26112120_ledger_routes_91343105": learnRoutes,
  "26112121_without_route_allows": statements(`DROP FUNCTION svc_route_allows`),
  "26112420_ledger_routes_671337ec": learnRoutes,

  // What the last verification found wrong, a row a merchant, until one of the whole ledger finds nothing.
  "26113041_ledger_breaks": statements(
    `CREATE TABLE ledger_breaks (
       merchant_id text PRIMARY KEY REFERENCES accounts (id),
       sequence_id bigint NOT NULL,
       reason text NOT NULL,
       found_at timestamptz NOT NULL
     )`
  )
}
