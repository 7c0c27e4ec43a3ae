/** The tables of the road itself: what orders an account's commits, the idempotency keys, and the timers. */
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
  )
}
