/**
 * The type of columns that hold sealed text, and the answers with secrets that are kept under idempotency keys: see `http/kept-answers.ts`.
 */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  // By its type a sealed column is found wherever it is: see rotation.ts.
  "26112411_sealed": statements(`CREATE DOMAIN sealed AS jsonb CHECK (VALUE IS NULL OR (VALUE ? 'key' AND VALUE ? 'box'))`),
  // The id is the idempotency key. Few rows: each new one takes those away that have expired.
  "26112910_sealed_answers": statements(
    `CREATE TABLE sealed_answers (id text PRIMARY KEY, answer sealed NOT NULL, expires_at timestamptz NOT NULL)`
  )
}
