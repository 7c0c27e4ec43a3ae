/** The table of recipients: a row for each account that has sent mail, which counts one day. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112310_email_recipients": statements(
    `CREATE TABLE email_recipients (
       account_id text PRIMARY KEY REFERENCES accounts (id),
       day date NOT NULL,
       recipients bigint NOT NULL CHECK (recipients >= 0)
     )`
  )
}
