/** The tables of analytics. A row is reached by its namespace's number, so that a namespace made anew has nothing of the one before it. */
import { type Migrations, partitionsOf, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112173_analytics": statements(
    `CREATE TABLE analytics_namespaces (
       account_id text NOT NULL REFERENCES accounts (id),
       name text NOT NULL,
       id bigint GENERATED ALWAYS AS IDENTITY,
       events bigint NOT NULL CHECK (events >= 0),
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, name)
     )`,
    `CREATE SEQUENCE analytics_event_ids`,
    `CREATE TABLE analytics_events (
       account_id text NOT NULL,
       namespace_id bigint NOT NULL,
       happened_at timestamptz NOT NULL,
       id bigint NOT NULL DEFAULT nextval('analytics_event_ids'),
       event text NOT NULL,
       user_id text,
       properties jsonb NOT NULL,
       PRIMARY KEY (account_id, namespace_id, happened_at, id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("analytics_events"),
    `CREATE INDEX analytics_events_event ON analytics_events (account_id, namespace_id, event, happened_at)`
  )
}
