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
  "26112612_credit_of_failed_cycles": statements(
    `ALTER TABLE billing_cycles ADD COLUMN credit_returned bigint NOT NULL DEFAULT 0 CHECK (credit_returned >= 0)`,
    // What came back of those that failed before: the credit that they used, and lines that were the customer's.
    `UPDATE billing_cycles c SET credit_returned = c.credit_applied + GREATEST(0, CASE WHEN s.latest_billing_cycle_id = c.id THEN (s.billed->>'adjustment')::bigint ELSE 0 END
         - c.proration_adjustment - c.credit_applied)
       FROM subscriptions s WHERE s.account_id = c.account_id AND s.id = c.subscription_id AND c.status = 'failed'`
  ),
  "26112613_dunning_of_cycles": statements(
    // Only pending cycles are tried again: of the others nothing is kept but the default.
    `ALTER TABLE billing_cycles ADD COLUMN dunning jsonb NOT NULL DEFAULT '{"preset":"derived","grace_period_days":3}'`,
    // As their tries were counted so far: by the account's preset where that makes such a grace and so many tries, else spread evenly.
    `UPDATE billing_cycles c SET dunning = jsonb_build_object('grace_period_days', k.days, 'preset', CASE
         WHEN k.preset = '"polar21"' AND k.days = 21 AND c.max_retries = 5 THEN k.preset
         WHEN k.preset = '"stripe14"' AND k.days = 14 AND c.max_retries = 8 THEN k.preset
         WHEN jsonb_typeof(k.preset) = 'array' AND c.max_retries = k.tries AND k.days = k.listed THEN k.preset
         ELSE '"derived"' END)
       FROM (
         SELECT o.account_id, o.id, (EXTRACT(epoch FROM o.grace_until - o.due_date) / 86400)::float8 AS days, a.settings->'billing'->'dunning' AS preset,
           (SELECT count(*) + 1 FROM jsonb_path_query(a.settings, '$.billing.dunning[*]')) AS tries,
           (SELECT COALESCE(sum(d::int), 0) FROM jsonb_path_query(a.settings, '$.billing.dunning[*] ? (@.type() == "number")') d) AS listed
         FROM billing_cycles o JOIN accounts a ON a.id = o.account_id WHERE o.status = 'pending'
       ) k
       WHERE c.account_id = k.account_id AND c.id = k.id`
  ),
  "26113022_billing_cycles_before_log": statements(
    beginLog({
      table: "billing_cycles",
      account: "account_id",
      resource_type: "billing_cycle",
      hidden: ["attempts", "credit_claims", "credit_returned", "dunning"]
    })
  )
}
