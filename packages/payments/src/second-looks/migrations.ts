/** The table of second looks. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26113043_second_looks": statements(
    `CREATE TABLE second_looks (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       act text NOT NULL CHECK (act IN ('refund', 'payout')),
       subject_id text NOT NULL,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       reverse_credit boolean NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'approved', 'done', 'failed', 'rejected', 'expired')),
       requested_by text NOT NULL,
       decided_by text CHECK ((decided_by IS NULL) = (status IN ('pending', 'expired')) AND decided_by <> requested_by),
       decided_at timestamptz CHECK ((decided_at IS NULL) = (status IN ('pending', 'expired'))),
       result_id text CHECK ((result_id IS NOT NULL) = (status = 'done')),
       failure_reason text CHECK ((failure_reason IS NOT NULL) = (status = 'failed')),
       expires_at timestamptz NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX second_looks_status ON second_looks (merchant_id, status, id)`,
    `CREATE INDEX second_looks_subject ON second_looks (merchant_id, subject_id, id)`,
    `CREATE INDEX second_looks_requested_by ON second_looks (merchant_id, requested_by, id)`,
    audit({ table: "second_looks", resource: "second_look", account: "merchant_id", id: "id" })
  )
}
