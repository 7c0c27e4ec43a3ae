/** The tables of snapshots. Content, artifacts and facts are raw deflated by whoever writes them, so Postgres is told not to try again. */
import { type Migrations, partitionsOf, statements } from "@svc/kernel/database/migrations"

const packed = (table: string, ...columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  columns.map((column) => `ALTER TABLE ${table} ALTER COLUMN ${column} SET STORAGE EXTERNAL`)

export const migrations: Migrations = {
  "26112921_snapshots": statements(
    // A snapshot that belongs to nobody stands under the account `anonymous`. `json` keeps what `jsonb` refuses, such as U+0000.
    `CREATE TABLE snapshots (
       account_id text NOT NULL,
       id text NOT NULL,
       call_id text,
       description json NOT NULL,
       status text NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
       failure text,
       programs json NOT NULL DEFAULT '[]',
       skipped json NOT NULL DEFAULT '{"count":0,"files":[]}',
       bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
       processing_until timestamptz NOT NULL,
       expires_at timestamptz,
       content_discarded_at timestamptz,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("snapshots"),
    `CREATE INDEX snapshots_processing ON snapshots (processing_until) WHERE status = 'processing'`,
    `CREATE INDEX snapshots_expiring ON snapshots (expires_at) WHERE expires_at IS NOT NULL`,
    `CREATE TABLE snapshot_files (
       account_id text NOT NULL,
       snapshot_id text NOT NULL,
       path text COLLATE "C" NOT NULL,
       sha256 text NOT NULL,
       bytes integer NOT NULL,
       lines integer NOT NULL,
       deflated bytea NOT NULL,
       PRIMARY KEY (account_id, snapshot_id, path),
       FOREIGN KEY (account_id, snapshot_id) REFERENCES snapshots ON DELETE CASCADE
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("snapshot_files"),
    ...packed("snapshot_files", "deflated"),
    `CREATE TABLE snapshot_artifacts (
       account_id text NOT NULL,
       snapshot_id text NOT NULL,
       path text COLLATE "C" NOT NULL,
       program text NOT NULL,
       free boolean NOT NULL,
       evidence text NOT NULL,
       bytes integer NOT NULL,
       sha256 text NOT NULL,
       deflated bytea NOT NULL,
       citations bytea NOT NULL,
       PRIMARY KEY (account_id, snapshot_id, path),
       FOREIGN KEY (account_id, snapshot_id) REFERENCES snapshots ON DELETE CASCADE
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("snapshot_artifacts"),
    ...packed("snapshot_artifacts", "deflated", "citations"),
    `CREATE TABLE snapshot_facts (
       account_id text NOT NULL,
       key text COLLATE "C" NOT NULL,
       deflated bytea NOT NULL,
       used_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, key)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("snapshot_facts"),
    ...packed("snapshot_facts", "deflated"),
    `CREATE INDEX snapshot_facts_used ON snapshot_facts (account_id, used_at)`,
    // What an account keeps, in compressed bytes, and how many snapshots it has made in a month.
    `CREATE TABLE snapshot_accounts (
       account_id text PRIMARY KEY,
       snapshot_bytes bigint NOT NULL DEFAULT 0 CHECK (snapshot_bytes >= 0),
       fact_bytes bigint NOT NULL DEFAULT 0 CHECK (fact_bytes >= 0),
       month date NOT NULL DEFAULT '-infinity',
       made integer NOT NULL DEFAULT 0 CHECK (made >= 0)
     )`,
    // How many anonymous snapshots a network has made within an hour of the first of them.
    `CREATE TABLE snapshot_networks (
       network_sha256 text PRIMARY KEY,
       since timestamptz NOT NULL,
       made integer NOT NULL
     )`,
    `CREATE INDEX snapshot_networks_since ON snapshot_networks (since)`
  )
}
