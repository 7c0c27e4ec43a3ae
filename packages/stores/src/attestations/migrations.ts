/** The end of each account's chain of attestations. The attestations themselves are with those who asked for them. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112920_attestations": statements(
    `CREATE TABLE attestation_heads (
       account_id text PRIMARY KEY REFERENCES accounts (id),
       entry_hash text NOT NULL CHECK (entry_hash ~ '^[0-9a-f]{64}$'),
       updated_at timestamptz NOT NULL
     )`
  )
}
