/** The table of notes. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26120201_notes": statements(
    `CREATE TABLE notes (
       account_id text NOT NULL REFERENCES accounts (id), id text NOT NULL,
       text text NOT NULL,
       due_at timestamptz NOT NULL,
       status text NOT NULL CHECK (status IN ('open', 'archived')),
       created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`,
    `CREATE INDEX notes_status ON notes (account_id, status, id)`,
    audit({ table: "notes", resource: "note", account: "account_id", id: "id" })
  )
}
