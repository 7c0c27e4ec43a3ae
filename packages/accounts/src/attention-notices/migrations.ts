/** What people were told of, and the mails in which they are. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26113041_attention": statements(
    // A row for each thing that needs a person, from when its mails were written until somebody has seen to it. Its key makes it once.
    `CREATE TABLE attention_notices (
       account_id text NOT NULL REFERENCES accounts (id),
       kind text NOT NULL,
       resource_id text NOT NULL,
       noticed_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, kind, resource_id)
     )`,
    // A mail to one person. `sending` is written before it is sent, and a mail that is left so is never sent again.
    `CREATE TABLE attention_mails (
       id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
       account_id text NOT NULL REFERENCES accounts (id),
       user_id text NOT NULL,
       items jsonb NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'sending', 'sent', 'failed')),
       attempts integer NOT NULL,
       due_at timestamptz NOT NULL,
       created_at timestamptz NOT NULL
     )`,
    `CREATE INDEX attention_mails_due ON attention_mails (due_at) WHERE status = 'pending'`,
    `CREATE INDEX attention_mails_account ON attention_mails (account_id, created_at)`
  )
}
