/**
 * The tables that every state change touches: accounts and keys, the idempotency namespace, the
 * chain heads, the ledger, balances, events and their deliveries, timers.
 *
 * Every table that grows carries the account's id and its keys begin with it. Tables that grow for
 * ever are hash-partitioned by account from the start.
 */
const PARTITIONS = 8

const partitions = (table: string): ReadonlyArray<string> =>
  Array.from({ length: PARTITIONS }, (_, n) =>
    `CREATE TABLE ${table}_p${n} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n})`)

export const statements: ReadonlyArray<string> = [
  // A failed requirement aborts the statement it stands in, and with it everything that statement wrote.
  `CREATE FUNCTION svc_require(ok boolean, what text) RETURNS boolean LANGUAGE plpgsql AS $$
   BEGIN
     IF ok IS NOT TRUE THEN RAISE EXCEPTION '%', what USING ERRCODE = 'SV001'; END IF;
     RETURN true;
   END $$`,

  `CREATE TABLE accounts (
     id text PRIMARY KEY,
     name text NOT NULL,
     status text NOT NULL CHECK (status IN ('active', 'suspended', 'closed', 'pending')),
     sandbox boolean NOT NULL,
     capabilities jsonb NOT NULL,
     restrictions jsonb NOT NULL,
     fee_tier_bps integer CHECK (fee_tier_bps BETWEEN 0 AND 10000),
     payout_destination text,
     payout_method text CHECK (payout_method IN ('bank_transfer', 'usdc_wallet')),
     settlement_asset text CHECK (settlement_asset IN ('USD', 'USDC')),
     settings jsonb NOT NULL,
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     version bigint NOT NULL
   )`,

  `CREATE TABLE api_keys (
     id text PRIMARY KEY,
     account_id text REFERENCES accounts (id),
     kind text NOT NULL CHECK (kind IN ('secret', 'restricted', 'operator')),
     name text NOT NULL,
     prefix text NOT NULL,
     hash text NOT NULL UNIQUE,
     scopes jsonb NOT NULL,
     status text NOT NULL CHECK (status IN ('active', 'revoked')),
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     revoked_at timestamptz,
     version bigint NOT NULL,
     CHECK ((kind = 'operator') = (account_id IS NULL))
   )`,
  `CREATE INDEX api_keys_account ON api_keys (account_id, id)`,

  // One row an account: the head of its ledger chain and the last event number. Its lock orders the account's commits.
  `CREATE TABLE account_heads (
     account_id text PRIMARY KEY REFERENCES accounts (id),
     ledger_seq bigint NOT NULL,
     ledger_hash text NOT NULL,
     event_seq bigint NOT NULL
   ) WITH (fillfactor = 50)`,

  // The one global table: payment keys form a single namespace for the whole platform.
  `CREATE TABLE idempotency_keys (
     key text PRIMARY KEY,
     account_id text NOT NULL,
     operation text NOT NULL,
     fingerprint text NOT NULL,
     resource_type text NOT NULL,
     resource_id text NOT NULL,
     status text NOT NULL,
     response_status integer,
     response_body text,
     lease_until timestamptz,
     first_seen_at timestamptz NOT NULL,
     CONSTRAINT idempotency_keys_answered CHECK (status = CASE WHEN response_body IS NULL THEN 'in_progress' ELSE 'done' END)
   ) WITH (fillfactor = 80)`,

  // The only routes there are.
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
  ...partitions("financial_events"),
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
  ...Array.from({ length: PARTITIONS }, (_, n) =>
    `CREATE TRIGGER financial_events_no_truncate BEFORE TRUNCATE ON financial_events_p${n}
       FOR EACH STATEMENT EXECUTE FUNCTION svc_ledger_is_append_only()`),

  `CREATE TABLE balance_accounts (
     account_id text NOT NULL REFERENCES accounts (id),
     currency text NOT NULL,
     id text NOT NULL,
     available bigint NOT NULL,
     pending bigint NOT NULL CONSTRAINT balance_pending_not_negative CHECK (pending >= 0),
     reserved bigint NOT NULL CONSTRAINT balance_reserved_not_negative CHECK (reserved >= 0),
     updated_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, currency),
     UNIQUE (account_id, id)
   ) WITH (fillfactor = 50)`,

  // The outbox and the public event log are one table; a delivery row is written beside it when an endpoint exists.
  `CREATE TABLE events (
     account_id text NOT NULL,
     seq bigint NOT NULL,
     id text NOT NULL,
     type text NOT NULL,
     resource_type text NOT NULL,
     resource_id text NOT NULL,
     resource_version bigint NOT NULL,
     api_version text NOT NULL,
     data text NOT NULL,
     created_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, seq)
   ) PARTITION BY HASH (account_id)`,
  ...partitions("events"),
  `CREATE INDEX events_id ON events (account_id, id)`,
  `CREATE INDEX events_type ON events (account_id, type, seq)`,

  `CREATE TABLE webhook_endpoints (
     account_id text PRIMARY KEY REFERENCES accounts (id),
     url text NOT NULL,
     secret text NOT NULL,
     previous_secret text,
     previous_secret_expires_at timestamptz,
     schedule text NOT NULL CHECK (schedule IN ('standard', 'long')),
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     version bigint NOT NULL
   )`,

  `CREATE TABLE webhook_deliveries (
     account_id text NOT NULL,
     id text NOT NULL,
     event_id text NOT NULL,
     event_seq bigint NOT NULL,
     event_type text NOT NULL,
     resource_id text NOT NULL,
     status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'retrying')),
     attempts integer NOT NULL,
     due_at timestamptz NOT NULL,
     lease_until timestamptz,
     lease_token text,
     last_outcome text,
     delivered_at timestamptz,
     created_at timestamptz NOT NULL,
     updated_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, id)
   ) PARTITION BY HASH (account_id)`,
  ...partitions("webhook_deliveries"),
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (account_id, due_at) WHERE status IN ('pending', 'retrying')`,
  `CREATE INDEX webhook_deliveries_status ON webhook_deliveries (account_id, status, id) WHERE status <> 'delivered'`,
  `CREATE INDEX webhook_deliveries_type ON webhook_deliveries (account_id, event_type, id)`,
  `CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (account_id, resource_id, event_seq) WHERE status IN ('pending', 'retrying')`,

  `CREATE TABLE webhook_attempts (
     account_id text NOT NULL,
     id text NOT NULL,
     delivery_id text NOT NULL,
     number integer NOT NULL,
     outcome text NOT NULL,
     response_status integer,
     duration_ms integer NOT NULL,
     error text,
     created_at timestamptz NOT NULL,
     PRIMARY KEY (account_id, id)
   ) PARTITION BY HASH (account_id)`,
  ...partitions("webhook_attempts"),
  `CREATE INDEX webhook_attempts_delivery ON webhook_attempts (account_id, delivery_id, number)`,

  // What must happen later, and when. A commit writes and removes these rows; workers lease what is due.
  `CREATE TABLE timers (
     account_id text NOT NULL,
     kind text NOT NULL,
     resource_id text NOT NULL,
     due_at timestamptz NOT NULL,
     attempts integer NOT NULL,
     lease_until timestamptz,
     lease_token text,
     PRIMARY KEY (account_id, kind, resource_id)
   ) WITH (fillfactor = 80)`,
  `CREATE INDEX timers_due ON timers (due_at)`
]
