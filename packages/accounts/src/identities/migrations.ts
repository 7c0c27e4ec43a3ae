/** The tables of identities. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112434_identities": statements(
    `CREATE TABLE identities (
       issuer text NOT NULL,
       subject text NOT NULL,
       user_id text NOT NULL REFERENCES users (id),
       created_at timestamptz NOT NULL,
       PRIMARY KEY (issuer, subject)
     )`,
    `CREATE INDEX identities_user ON identities (user_id)`,
    // People who are at the provider: a row lives for minutes, and is gone once they come back.
    `CREATE TABLE identity_errands (
       state_hash text PRIMARY KEY,
       errand jsonb NOT NULL,
       nonce text NOT NULL,
       verifier text NOT NULL,
       expires_at timestamptz NOT NULL
     )`,
    `CREATE INDEX identity_errands_expiry ON identity_errands (expires_at)`,
    // People belong to no account, so what they are linked to stands in the log of the installation.
    audit({ table: "identities", resource: "identity", account: "account_id", id: "user_id" })
  )
}
