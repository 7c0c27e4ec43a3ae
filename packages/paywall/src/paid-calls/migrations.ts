/** The tables of calls that are paid when they are made: what can be used once, answers that are kept, and who is paid. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112151_paid_calls": statements(
    // A challenge, an authorization's nonce, a caller's key; or payer, tool and arguments, for ten minutes.
    `CREATE TABLE payment_claims (
       key text PRIMARY KEY,
       account_id text NOT NULL,
       call_id text NOT NULL,
       claimed_at timestamptz NOT NULL
     )`,
    `CREATE INDEX payment_claims_call ON payment_claims (account_id, call_id)`,
    // What a paid call came to, from before the money moves until nobody asks again.
    `CREATE TABLE paid_answers (
       account_id text NOT NULL,
       call_id text NOT NULL,
       arguments_sha256 text NOT NULL,
       body text NOT NULL,
       kept_until timestamptz NOT NULL,
       PRIMARY KEY (account_id, call_id)
     )`,
    `CREATE INDEX paid_answers_until ON paid_answers (kept_until)`,
    // The merchant accounts that tools are paid to, one for sandbox calls and one for live ones; and the secret that signs challenges.
    `CREATE TABLE tool_house (
       sandbox boolean PRIMARY KEY,
       account_id text NOT NULL REFERENCES accounts (id)
     )`,
    `CREATE TABLE tool_secrets (
       name text PRIMARY KEY,
       secret text NOT NULL
     )`
  ),
  // What a call is paid with and what it delivered, in the commits that write the call itself.
  "26112195_paid_calls_beside_calls": statements(
    `DROP TABLE paid_answers`,
    `CREATE TABLE paid_calls (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       sandbox boolean NOT NULL,
       payment text,
       signed_for bigint NOT NULL CHECK (signed_for >= 0),
       result text,
       taken bigint NOT NULL CHECK (taken >= 0),
       receipt text,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`
  )
}
