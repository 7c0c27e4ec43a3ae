/** The table of checkout sessions. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112301_checkout_sessions": statements(
    `CREATE TABLE checkout_sessions (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       url text NOT NULL,
       mode text NOT NULL CHECK (mode IN ('payment', 'subscription')),
       status text NOT NULL CHECK (status IN ('open', 'complete', 'expired')),
       payment_status text NOT NULL CHECK (payment_status IN ('unpaid', 'processing', 'paid')),
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       line_items jsonb NOT NULL,
       plan_id text CHECK ((plan_id IS NOT NULL) = (mode = 'subscription')),
       customer_id text,
       customer_email text,
       success_url text,
       cancel_url text,
       locale text,
       payment_intent_id text,
       subscription_id text,
       metadata jsonb NOT NULL,
       expires_at timestamptz NOT NULL,
       completed_at timestamptz CHECK ((completed_at IS NOT NULL) = (status = 'complete')),
       tries integer NOT NULL CHECK (tries >= 0),
       trying jsonb,
       last_failure text,
       abandoned_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CHECK ((status = 'complete') = (payment_status = 'paid')),
       CHECK (status <> 'expired' OR payment_status = 'unpaid')
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX checkout_sessions_status ON checkout_sessions (account_id, status, id)`,
    `CREATE INDEX checkout_sessions_customer ON checkout_sessions (account_id, customer_id, id)`,
    `CREATE INDEX checkout_sessions_payment_intent ON checkout_sessions (account_id, payment_intent_id, id)`,
    // The page is asked for without an account.
    `CREATE INDEX checkout_sessions_id ON checkout_sessions (id)`
  ),
  // Text until then; rows that are there already are sealed by the process that starts with this version.
  "26113011_checkout_sessions_sealed": statements(
    `ALTER TABLE checkout_sessions ADD COLUMN secret sealed`,
    `CREATE INDEX checkout_sessions_unsealed ON checkout_sessions (id) WHERE secret IS NULL`
  ),
  "26113021_checkout_sessions_before_log": statements(
    beginLog({
      table: "checkout_sessions",
      account: "account_id",
      resource_type: "checkout.session",
      hidden: ["url", "tries", "trying", "last_failure", "abandoned_at", "secret"]
    })
  )
}
