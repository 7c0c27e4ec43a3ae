/** The table of reserves. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112424_reserves": statements(
    `CREATE TABLE reserves (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       released_amount bigint NOT NULL CHECK (released_amount >= 0),
       forfeited_amount bigint NOT NULL CHECK (forfeited_amount >= 0 AND released_amount + forfeited_amount <= amount),
       reason text NOT NULL,
       status text NOT NULL CHECK (status IN ('held', 'closed') AND (status = 'closed') = (released_amount + forfeited_amount = amount)),
       closed_at timestamptz CHECK ((closed_at IS NOT NULL) = (status = 'closed')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    // An operator names a reserve by its id alone.
    `CREATE UNIQUE INDEX reserves_id ON reserves (id)`,
    `CREATE INDEX reserves_status ON reserves (merchant_id, status, id)`,
    `CREATE INDEX reserves_currency ON reserves (merchant_id, currency, id)`
  ),
  "26112492_audit_reserves": statements(audit({ table: "reserves", resource: "reserve", account: "merchant_id", id: "id" }))
}
