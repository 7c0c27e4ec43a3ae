/** The table of subscriptions. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112321_subscriptions": statements(
    `CREATE TABLE subscriptions (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       plan_id text NOT NULL,
       customer_id text NOT NULL,
       status text NOT NULL CHECK (status IN ('trialing', 'active', 'past_due', 'paused', 'canceled')),
       current_period_start timestamptz NOT NULL,
       current_period_end timestamptz NOT NULL,
       next_billing_date timestamptz NOT NULL,
       billing_cycle_anchor timestamptz NOT NULL,
       time_zone text NOT NULL,
       currency text NOT NULL,
       cancel_at_end boolean NOT NULL,
       keep_collecting boolean NOT NULL,
       cancel_reason text CHECK (cancel_reason IN ('customer_request', 'payment_failure', 'merchant_action', 'plan_archived')),
       canceled_at timestamptz CHECK ((canceled_at IS NOT NULL) = (status = 'canceled')),
       failed_attempts integer NOT NULL CHECK (failed_attempts >= 0),
       next_retry_at timestamptz,
       idempotency_key text NOT NULL,
       last_payment_intent_id text,
       latest_billing_cycle_id text,
       metadata jsonb NOT NULL,
       payment_method_id text,
       trial_end timestamptz,
       paused_remaining_seconds bigint,
       paused_at timestamptz CHECK ((paused_at IS NOT NULL) = (status = 'paused')),
       pending_change jsonb,
       billed jsonb NOT NULL,
       lines jsonb NOT NULL,
       waived_lines jsonb NOT NULL,
       credit_balance bigint NOT NULL CHECK (credit_balance >= 0),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CHECK (current_period_end >= current_period_start)
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX subscriptions_status ON subscriptions (account_id, status, id)`,
    `CREATE INDEX subscriptions_plan ON subscriptions (account_id, plan_id, id)`,
    `CREATE INDEX subscriptions_customer ON subscriptions (account_id, customer_id, id)`
  ),
  "26113023_subscriptions_before_log": statements(
    beginLog({ table: "subscriptions", account: "account_id", resource_type: "subscription", hidden: ["billed", "first_paid_at"] })
  )
}
