/** The table of billing cycles. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112322_billing_cycles": statements(
    `CREATE TABLE billing_cycles (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       subscription_id text NOT NULL,
       plan_id text NOT NULL,
       kind text NOT NULL CHECK (kind IN ('period', 'change', 'final')),
       period_start timestamptz NOT NULL,
       period_end timestamptz NOT NULL,
       amount bigint NOT NULL CHECK (amount >= 0),
       currency text NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'charged', 'failed', 'voided', 'refunded')),
       proration_adjustment bigint NOT NULL,
       due_date timestamptz NOT NULL,
       charged_at timestamptz,
       last_retry_at timestamptz,
       next_attempt_at timestamptz,
       grace_until timestamptz NOT NULL,
       retries integer NOT NULL CHECK (retries >= 0),
       max_retries integer NOT NULL CHECK (max_retries > 0),
       payment_intent_id text,
       invoice_id text,
       idempotency_key text NOT NULL,
       captured_amount bigint NOT NULL CHECK (captured_amount >= 0),
       refunded_amount bigint NOT NULL CHECK (refunded_amount >= 0),
       credit_applied bigint NOT NULL CHECK (credit_applied >= 0),
       credit_granted bigint NOT NULL CHECK (credit_granted >= 0),
       attempts jsonb NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CONSTRAINT billing_cycles_one_a_period UNIQUE (account_id, idempotency_key)
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX billing_cycles_status ON billing_cycles (account_id, status, id)`,
    `CREATE INDEX billing_cycles_subscription ON billing_cycles (account_id, subscription_id, id)`,
    `CREATE INDEX billing_cycles_plan ON billing_cycles (account_id, plan_id, id)`
  ),
  "26112501_disputed_cycles": statements(
    `ALTER TABLE billing_cycles
       ADD COLUMN disputed_amount bigint NOT NULL DEFAULT 0 CHECK (disputed_amount >= 0),
       ADD COLUMN credit_withdrawn bigint NOT NULL DEFAULT 0 CHECK (credit_withdrawn >= 0)`,
    // Disputes that were there before.
    `UPDATE billing_cycles c SET disputed_amount = p.disputed_amount
       FROM payment_intents p WHERE p.merchant_id = c.account_id AND p.id = c.payment_intent_id AND p.disputed_amount > 0 AND p.origin->>'id' = c.id`
  ),
  "26112611_credit_claims": statements(`ALTER TABLE billing_cycles ADD COLUMN credit_claims jsonb`),
  "26113022_billing_cycles_before_log": statements(beginLog({ table: "billing_cycles", account: "account_id", resource_type: "billing_cycle", hidden: ["attempts", "credit_claims"] }))
}
