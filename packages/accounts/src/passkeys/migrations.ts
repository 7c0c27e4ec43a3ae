/** The tables of passkeys. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112433_passkeys": statements(
    `CREATE TABLE passkeys (
       id text PRIMARY KEY,
       user_id text NOT NULL REFERENCES users (id),
       credential_id text NOT NULL UNIQUE,
       user_handle text NOT NULL,
       public_key text NOT NULL,
       counter bigint NOT NULL,
       transports jsonb NOT NULL,
       name text NOT NULL,
       created_at timestamptz NOT NULL,
       last_used_at timestamptz
     )`,
    `CREATE INDEX passkeys_user ON passkeys (user_id, id)`,
    // What was asked of a browser: a row lives for minutes, and is gone once it is answered.
    `CREATE TABLE passkey_challenges (
       challenge text PRIMARY KEY,
       purpose text NOT NULL,
       user_handle text,
       expires_at timestamptz NOT NULL
     )`,
    `CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)`,
    // People belong to no account, so their passkeys stand in the log of the installation.
    audit({ table: "passkeys", resource: "passkey", account: "account_id", id: "id", hidden: ["public_key"], on: "INSERT OR DELETE" })
  )
}
