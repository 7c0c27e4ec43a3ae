/** The table of payment intents, and what each of its rows must fulfil. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112102_payment_intents": statements(
    // One function instead of a CHECK a rule, for the reason that the ledger gives.
    `CREATE FUNCTION svc_payment_intent_is_valid(state text, pending_reason text, amount bigint, authorized_amount bigint,
       captured_amount bigint, refunded_amount bigint, unsettled_amount bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
     BEGIN
       RETURN state IN ('created', 'authorized', 'captured', 'refunded', 'failed', 'pending', 'blocked', 'cancelled')
         AND CASE WHEN state = 'pending' THEN coalesce(pending_reason, '') IN ('requires_action', 'async_rail', 'unknown_outcome', 'requires_approval')
           ELSE pending_reason IS NULL END
         AND amount > 0 AND 0 <= refunded_amount AND refunded_amount <= captured_amount
         AND captured_amount <= authorized_amount AND authorized_amount <= amount AND unsettled_amount >= 0;
     END $$`,
    `CREATE TABLE payment_intents (
       merchant_id text NOT NULL,
       id text NOT NULL,
       amount bigint NOT NULL,
       currency text NOT NULL,
       state text NOT NULL,
       idempotency_key text NOT NULL,
       destination_currency text,
       failure_reason text,
       decline_code text,
       metadata jsonb NOT NULL,
       customer_id text,
       payment_method_id text,
       country text,
       provider_reference text,
       selected_rail text,
       pending_reason text,
       next_action jsonb,
       authorized_amount bigint NOT NULL,
       captured_amount bigint NOT NULL,
       refunded_amount bigint NOT NULL,
       disputed_amount bigint NOT NULL,
       fee_amount bigint NOT NULL,
       unsettled_amount bigint NOT NULL,
       capture_before timestamptz,
       capture_on_authorize boolean NOT NULL,
       risk_cleared boolean NOT NULL,
       routing jsonb,
       open_call jsonb,
       attempts jsonb NOT NULL,
       refunds jsonb NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id),
       CONSTRAINT payment_intents_valid CHECK (svc_payment_intent_is_valid(
         state, pending_reason, amount, authorized_amount, captured_amount, refunded_amount, unsettled_amount))
     ) WITH (fillfactor = 70)`,
    // Each filter of the list has the index it is served from; all end in the id, the list's order.
    `CREATE INDEX payment_intents_state ON payment_intents (merchant_id, state, id)`,
    `CREATE INDEX payment_intents_amount ON payment_intents (merchant_id, amount, id)`,
    `CREATE INDEX payment_intents_customer ON payment_intents (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL`,
    `CREATE INDEX payment_intents_reference ON payment_intents (merchant_id, provider_reference, id) WHERE provider_reference IS NOT NULL`,
    // Few intents have an open call; their attempt is how a provider names them.
    `CREATE INDEX payment_intents_open_call ON payment_intents ((open_call->>'attempt_id')) WHERE open_call IS NOT NULL`,
    `CREATE INDEX payment_intents_currency ON payment_intents (merchant_id, currency, id)`,
    `CREATE INDEX payment_intents_rail ON payment_intents (merchant_id, selected_rail, id) WHERE selected_rail IS NOT NULL`,
    `CREATE INDEX payment_intents_metadata ON payment_intents USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}'::jsonb`
  ),
  "26112202_payment_intents_of_agents": statements(`ALTER TABLE payment_intents ADD COLUMN agent jsonb`),
  "26112301_payment_intents_on_behalf": statements(`ALTER TABLE payment_intents ADD COLUMN origin jsonb`),
  "26112422_payment_intents_converted": statements(`ALTER TABLE payment_intents ADD COLUMN quote_id text, ADD COLUMN conversion jsonb`),
  "26113022_payment_intents_before_log": statements(
    beginLog({
      table: "payment_intents",
      account: "merchant_id",
      resource_type: "payment_intent",
      hidden: ["unsettled_amount", "capture_on_authorize", "risk_cleared", "routing", "open_call", "agent", "origin"]
    })
  )
}
