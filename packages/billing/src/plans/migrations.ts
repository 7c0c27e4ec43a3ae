/** The table of plans. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112301_plans": statements(
    `CREATE TABLE plans (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       name text NOT NULL,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       billing_period text NOT NULL CHECK (billing_period IN ('weekly', 'monthly', 'quarterly', 'annual')),
       status text NOT NULL CHECK (status IN ('draft', 'active', 'archived')),
       allow_proration boolean NOT NULL,
       description text,
       external_id text,
       grace_period_days integer NOT NULL CHECK (grace_period_days >= 0),
       trial_period_days integer NOT NULL CHECK (trial_period_days >= 0),
       archive_option text CHECK (archive_option IN ('none', 'at_period_end', 'now')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CHECK ((archive_option IS NOT NULL) = (status = 'archived'))
     )`,
    `CREATE INDEX plans_status ON plans (account_id, status, id)`,
    `CREATE INDEX plans_currency ON plans (account_id, currency, id)`,
    `CREATE INDEX plans_billing_period ON plans (account_id, billing_period, id)`,
    `CREATE INDEX plans_external_id ON plans (account_id, external_id, id) WHERE external_id IS NOT NULL`
  ),
  "26112401_audit_plans": statements(audit({ table: "plans", resource: "plan", account: "account_id", id: "id" }))
}
