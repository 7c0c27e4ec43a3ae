/** The table of approvals, and one for each payment that waited for a person before there were any. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112203_approvals": statements(
    `CREATE TABLE approvals (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       payment_intent_id text NOT NULL,
       agent_key_id text,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       payment_method_id text,
       status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
       expires_at timestamptz NOT NULL,
       decided_at timestamptz CHECK ((decided_at IS NULL) = (status = 'pending')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX approvals_status ON approvals (merchant_id, status, id)`,
    // A payment waits for one person at a time. It may wait again when it was blocked in between.
    `CREATE INDEX approvals_payment_intent ON approvals (merchant_id, payment_intent_id, id)`,
    `CREATE UNIQUE INDEX approvals_one_pending ON approvals (merchant_id, payment_intent_id) WHERE status = 'pending'`,
    `INSERT INTO approvals (merchant_id, id, payment_intent_id, amount, currency, payment_method_id, status, expires_at, created_at, updated_at, version)
     SELECT merchant_id, 'apr_' || substr(id, 4), id, amount, currency, payment_method_id, 'pending', updated_at + interval '7 days', updated_at, updated_at, 1
     FROM payment_intents WHERE state = 'pending' AND pending_reason = 'requires_approval'`
  ),
  "26112461_audit_approvals": statements(audit({ table: "approvals", resource: "approval", account: "merchant_id", id: "id" })),
  "26113042_approvals_decided_by": statements(`ALTER TABLE approvals ADD COLUMN decided_by text`)
}
