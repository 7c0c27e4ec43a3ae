/** The table of transfer instruments. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112401_transfer_instruments": statements(
    `CREATE TABLE transfer_instruments (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       type text NOT NULL CHECK (type IN ('bank_account', 'card', 'usdc_wallet')),
       status text NOT NULL CHECK (status IN ('pending', 'verified', 'active', 'archived', 'failed')),
       currency text NOT NULL,
       holder_name text NOT NULL,
       last4 text NOT NULL,
       sealed sealed NOT NULL,
       routing_number text,
       is_default boolean NOT NULL CHECK (NOT is_default OR status = 'active'),
       legal_entity_id text,
       wrong_tries integer NOT NULL,
       verified_at timestamptz,
       active_from timestamptz,
       failure_reason text,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       -- Checked at the end: of two that change places one is written before the other.
       CONSTRAINT transfer_instruments_default EXCLUDE (account_id WITH =, type WITH =, currency WITH =) WHERE (is_default) DEFERRABLE INITIALLY DEFERRED
     )`,
    `CREATE INDEX transfer_instruments_status ON transfer_instruments (account_id, status, id)`,
    `CREATE INDEX transfer_instruments_type ON transfer_instruments (account_id, type, id)`,
    `CREATE INDEX transfer_instruments_currency ON transfer_instruments (account_id, currency, id)`
  ),
  "26112491_audit_transfer_instruments": statements(
    audit({
      table: "transfer_instruments",
      resource: "transfer_instrument",
      account: "account_id",
      id: "id",
      hidden: ["sealed", "routing_number"]
    })
  )
}
