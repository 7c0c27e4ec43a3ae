/** The table of feedback. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112153_feedback": statements(
    // Of the network there is a hash alone: it counts, and tells nobody where somebody was.
    `CREATE TABLE feedback_tickets (
       id text PRIMARY KEY,
       network_sha256 text NOT NULL,
       message text NOT NULL,
       category text NOT NULL,
       email text,
       rating smallint,
       created_at timestamptz NOT NULL
     )`,
    `CREATE INDEX feedback_tickets_network ON feedback_tickets (network_sha256, created_at)`
  )
}
