/** The table of write-offs. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112513_write_offs": statements(
    `CREATE TABLE write_offs (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       reason text NOT NULL,
       created_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX write_offs_currency ON write_offs (merchant_id, currency, id)`,
    audit({ table: "write_offs", resource: "write_off", account: "merchant_id", id: "id" })
  ),
  // An operator names a write-off by its id alone.
  "26120260_write_offs_id": statements(`CREATE UNIQUE INDEX write_offs_id ON write_offs (id)`)
}
