/** The table of balance accounts. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112102_balance_accounts": statements(
    `CREATE TABLE balance_accounts (
       account_id text NOT NULL REFERENCES accounts (id),
       currency text NOT NULL,
       id text NOT NULL,
       available bigint NOT NULL,
       pending bigint NOT NULL CONSTRAINT balance_pending_not_negative CHECK (pending >= 0),
       reserved bigint NOT NULL CONSTRAINT balance_reserved_not_negative CHECK (reserved >= 0),
       updated_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, currency),
       UNIQUE (account_id, id)
     ) WITH (fillfactor = 50)`
  )
}
