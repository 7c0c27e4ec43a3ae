/** The tables of calls, of credits, and of the counts of free calls. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112150_tool_calls": statements(
    `CREATE TABLE tool_calls (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       agent_key_id text,
       tool text NOT NULL,
       mode text NOT NULL,
       arguments_sha256 text NOT NULL,
       price bigint NOT NULL CHECK (price >= 0),
       paid_by text NOT NULL,
       state text NOT NULL CHECK (state IN ('reserved', 'pending', 'settled', 'released')),
       shares jsonb NOT NULL,
       result_sha256 text,
       receipt text,
       error text,
       created_at timestamptz NOT NULL,
       finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (state IN ('settled', 'released'))),
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     ) WITH (fillfactor = 80)`,
    `CREATE TABLE credit_grants (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       cents bigint NOT NULL CHECK (cents > 0),
       source text NOT NULL,
       payment_intent_id text,
       expires_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`,
    // Calls that cost nothing, by the minute. Anonymous calls have no account.
    `CREATE TABLE free_tool_calls (
       account_id text NOT NULL,
       tool text NOT NULL,
       minute timestamptz NOT NULL,
       calls bigint NOT NULL,
       PRIMARY KEY (account_id, tool, minute)
     )`
  )
}
