/** The table of acceptances of the terms. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26113051_terms_acceptances": statements(
    `CREATE TABLE terms_acceptances (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       terms_version text NOT NULL,
       accepted_by text NOT NULL,
       accepted_at timestamptz NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    // A version is accepted once, and a list of one version is found by it.
    `CREATE UNIQUE INDEX terms_acceptances_version ON terms_acceptances (merchant_id, terms_version)`,
    audit({ table: "terms_acceptances", resource: "terms_acceptance", account: "merchant_id", id: "id" })
  )
}
