/** The table of sessions. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112432_sessions": statements(
    // A session that ends is removed; the audit log says when each began and who ended it.
    `CREATE TABLE sessions (
       id text PRIMARY KEY,
       user_id text NOT NULL REFERENCES users (id),
       account_id text REFERENCES accounts (id),
       hash text NOT NULL UNIQUE,
       ip text,
       user_agent text,
       created_at timestamptz NOT NULL,
       seen_at timestamptz NOT NULL,
       confirmed_at timestamptz NOT NULL
     )`,
    `CREATE INDEX sessions_user ON sessions (user_id, id)`,
    `CREATE INDEX sessions_account ON sessions (account_id, id)`,
    `CREATE INDEX sessions_created ON sessions (created_at)`,
    audit({ table: "sessions", resource: "person_session", account: "account_id", id: "id", hidden: ["hash"], on: "INSERT OR DELETE" })
  )
}
