/** The table of bank links. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26120102_bank_links": statements(
    `CREATE TABLE bank_links (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'linked', 'failed', 'expired')),
       link_token text NOT NULL,
       expires_at timestamptz NOT NULL,
       item_id text CHECK ((item_id IS NULL) = (status <> 'linked')),
       accounts jsonb NOT NULL,
       public_token_hash text,
       processor_token_hash text,
       failure_reason text,
       linked_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       UNIQUE (account_id, link_token)
     )`,
    `CREATE TABLE bank_link_numbers (
       account_id text NOT NULL,
       id text NOT NULL,
       sealed sealed NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       FOREIGN KEY (account_id, id) REFERENCES bank_links (account_id, id)
     )`,
    `CREATE INDEX bank_links_status ON bank_links (account_id, status, id)`,
    audit({
      table: "bank_links",
      resource: "bank_link",
      account: "account_id",
      id: "id",
      hidden: ["public_token_hash", "processor_token_hash"]
    })
  )
}
