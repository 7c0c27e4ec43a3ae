/** The tables of deliveries and of the attempts at them. */
import { type Migrations, partitionNames, partitionsOf, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112102_webhook_deliveries": statements(
    `CREATE TABLE webhook_deliveries (
       account_id text NOT NULL,
       id text NOT NULL,
       event_id text NOT NULL,
       event_seq bigint NOT NULL,
       event_type text NOT NULL,
       resource_id text NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'retrying')),
       attempts integer NOT NULL,
       due_at timestamptz NOT NULL,
       lease_until timestamptz,
       lease_token text,
       last_outcome text,
       delivered_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("webhook_deliveries"),
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (account_id, due_at) WHERE status IN ('pending', 'retrying')`,
    `CREATE INDEX webhook_deliveries_status ON webhook_deliveries (account_id, status, id) WHERE status <> 'delivered'`,
    `CREATE INDEX webhook_deliveries_type ON webhook_deliveries (account_id, event_type, id)`,
    `CREATE INDEX webhook_deliveries_lane ON webhook_deliveries (account_id, resource_id, event_seq) WHERE status IN ('pending', 'retrying')`,
    `CREATE TABLE webhook_attempts (
       account_id text NOT NULL,
       id text NOT NULL,
       delivery_id text NOT NULL,
       number integer NOT NULL,
       outcome text NOT NULL,
       response_status integer,
       duration_ms integer NOT NULL,
       error text,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("webhook_attempts"),
    `CREATE INDEX webhook_attempts_delivery ON webhook_attempts (account_id, delivery_id, number)`
  ),
  // Written by a replay alone. It has no index: it is read with its row.
  "26120188_webhook_deliveries_replayed_as": statements(`ALTER TABLE webhook_deliveries ADD COLUMN replayed_as text`),
  // A claim changes no column of an index. Where its page has room for the new row, none of the five indexes is written.
  "26120189_webhook_deliveries_fillfactor": statements(
    ...partitionNames("webhook_deliveries").map((name) => `ALTER TABLE ${name} SET (fillfactor = 60)`)
  )
}
