/** The tables of the road itself: what orders an account's commits, the idempotency keys, and the timers. */
import { auditLog, auditOfPeople } from "../database/audit.ts"
import { type Migrations, statements } from "../database/migrations.ts"

export const migrations: Migrations = {
  "26112101_road": statements(
    // A failed requirement aborts the statement it stands in, and with it everything that statement wrote.
    `CREATE FUNCTION svc_require(ok boolean, what text) RETURNS boolean LANGUAGE plpgsql AS $$
     BEGIN
       IF ok IS NOT TRUE THEN RAISE EXCEPTION '%', what USING ERRCODE = 'SV001'; END IF;
       RETURN true;
     END $$`,
    // One row an account: the head of its ledger chain and the last event number. Its lock orders the account's commits.
    `CREATE TABLE account_heads (
       account_id text PRIMARY KEY,
       ledger_seq bigint NOT NULL,
       ledger_hash text NOT NULL,
       event_seq bigint NOT NULL
     ) WITH (fillfactor = 50)`,
    // The one global table: payment keys form a single namespace for the whole platform.
    `CREATE TABLE idempotency_keys (
       key text PRIMARY KEY,
       account_id text NOT NULL,
       operation text NOT NULL,
       fingerprint text NOT NULL,
       resource_type text NOT NULL,
       resource_id text NOT NULL,
       status text NOT NULL,
       response_status integer,
       response_body text,
       lease_until timestamptz,
       first_seen_at timestamptz NOT NULL,
       CONSTRAINT idempotency_keys_answered CHECK (status = CASE WHEN response_body IS NULL THEN 'in_progress' ELSE 'done' END)
     ) WITH (fillfactor = 80)`,
    // What must happen later, and when. A commit writes and removes these rows; workers lease what is due.
    `CREATE TABLE timers (
       account_id text NOT NULL,
       kind text NOT NULL,
       resource_id text NOT NULL,
       due_at timestamptz NOT NULL,
       attempts integer NOT NULL,
       lease_until timestamptz,
       lease_token text,
       PRIMARY KEY (account_id, kind, resource_id)
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX timers_due ON timers (due_at)`
  ),

  // What the conditions of a commit need: counters with limits, a number for each commit of an account, and a refusal that
  // says what was found.
  "26112104_counters": statements(
    // Aborts its statement like svc_require, and tells in the error's detail what the rows held.
    `CREATE FUNCTION svc_refuse(what text, held text) RETURNS boolean LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION '%', what USING ERRCODE = 'SV001', DETAIL = coalesce(held, '');
     END $$`,
    // How many commits the account has had. Every commit moves it, also one without ledger entries and events, so whoever finds
    // it where he left it knows that nothing of the account was changed meanwhile. The other columns belong to those who write
    // entries and events; an account begins with none.
    `ALTER TABLE account_heads
       ADD COLUMN commit_seq bigint NOT NULL DEFAULT 0,
       ALTER COLUMN ledger_seq SET DEFAULT 0,
       ALTER COLUMN ledger_hash SET DEFAULT repeat('0', 64),
       ALTER COLUMN event_seq SET DEFAULT 0`,
    // What was used of something that has a limit, by window; the limit itself comes with each commit. A window for life
    // begins in 1970.
    `CREATE TABLE counters (
       account_id text NOT NULL,
       name text NOT NULL,
       key text NOT NULL,
       period text NOT NULL CHECK (period IN ('hour', 'day', 'month', 'life')),
       window_start timestamptz NOT NULL,
       spent bigint NOT NULL CHECK (spent >= 0),
       reserved bigint NOT NULL CHECK (reserved >= 0),
       updated_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, name, key, period, window_start)
     ) WITH (fillfactor = 50)`
  ),

  // The last of an account's numbers without a gap: `numbers.ts`.
  "26112301_numbers": statements(`ALTER TABLE account_heads ADD COLUMN number_seq bigint NOT NULL DEFAULT 0`),

  "26112401_audit_log": statements(...auditLog),

  // The whole order in which timers are claimed, so that a claim reads no further than the rows it takes.
  "26112501_timers_in_order": statements(
    `DROP INDEX timers_due`,
    `CREATE INDEX timers_due ON timers (due_at, account_id, resource_id) WHERE NOT held`
  ),

  "26113041_audit_of_people": statements(...auditOfPeople)
}
