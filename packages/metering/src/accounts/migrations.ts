/** The table of what the tool server keeps of accounts. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112140_tool_accounts": statements(
    `CREATE TABLE tool_accounts (
       account_id text PRIMARY KEY REFERENCES accounts (id),
       email text,
       contact text,
       tier text NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL
     )`,
    // One account an email, however it is written in capitals.
    `CREATE UNIQUE INDEX tool_accounts_email ON tool_accounts (lower(email)) WHERE email IS NOT NULL`
  )
}
