/** The table of accounts, and what their lists are found by. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112101_accounts": statements(
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
    `ALTER TABLE account_heads ADD CONSTRAINT account_heads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)`
  ),
  // For the list of the operator: each of its filters.
  "26112142_account_filters": statements(
    `CREATE INDEX accounts_status ON accounts (status, id)`,
    `CREATE INDEX accounts_sandbox ON accounts (sandbox, id)`,
    `CREATE INDEX accounts_name ON accounts (name, id)`
  ),
  // Accounts that exist already speak the first version.
  "26112401_account_api_version": statements(`ALTER TABLE accounts ADD COLUMN api_version text NOT NULL DEFAULT '2026-11-01'`),
  "26112402_audit_accounts": statements(audit({ table: "accounts", resource: "account", account: "id", id: "id" })),
  // Accounts that are made by hand speak the version that was current when this was written; all others say theirs.
  "26112421_account_api_version": statements(`ALTER TABLE accounts ALTER COLUMN api_version SET DEFAULT '2026-11-22'`)
}
