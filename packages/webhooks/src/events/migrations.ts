/** The table of events. */
import { type Migrations, partitionsOf, statements } from "@svc/kernel/database/migrations"
import { beginCounters } from "../log/beginning.ts"

export const migrations: Migrations = {
  "26112100_events": statements(
    // The outbox and the public event log are one table; a delivery row is written beside it when an endpoint exists.
    `CREATE TABLE events (
       account_id text NOT NULL,
       seq bigint NOT NULL,
       id text NOT NULL,
       type text NOT NULL,
       resource_type text NOT NULL,
       resource_id text NOT NULL,
       resource_version bigint NOT NULL,
       api_version text NOT NULL,
       data text NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, seq)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("events"),
    `CREATE INDEX events_id ON events (account_id, id)`,
    `CREATE INDEX events_type ON events (account_id, type, seq)`
  ),

  // What commits change without an event, so that what the tables hold can be derived from the log: see ../log.
  "26112421_quiet_changes": statements(
    `CREATE TABLE quiet_changes (
       account_id text NOT NULL,
       kind text NOT NULL,
       row_id text NOT NULL,
       version bigint NOT NULL,
       data text NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, kind, row_id, version)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("quiet_changes")
  ),
  // The version that the account spoke then, where that is not the one in which `data` is stored. It is told of the event in this version
  // each time.
  "26112431_event_versions": statements(`ALTER TABLE events ADD COLUMN rendered_as text`),
  // What receivers may route by, of events that the scheduler causes: JSON text.
  "26112911_event_hints": statements(`ALTER TABLE events ADD COLUMN metadata text`),
  "26113021_counters_before_log": statements(beginCounters),
  // Which person made it happen: JSON text; null where software did.
  "26113041_event_actors": statements(`ALTER TABLE events ADD COLUMN actor text`)
}
