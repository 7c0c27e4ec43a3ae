/** The table of tokens for GitHub: one an account. `id` is the account's, because a sealed box is bound to the id of its row. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112321_github_tokens": statements(
    `CREATE TABLE github_tokens (
       id text PRIMARY KEY REFERENCES accounts (id),
       token sealed NOT NULL,
       updated_at timestamptz NOT NULL
     )`
  )
}
