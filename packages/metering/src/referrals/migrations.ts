/** The tables of referrals: who has which token, and who came by whom. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112152_referrals": statements(
    `CREATE TABLE referral_tokens (
       account_id text PRIMARY KEY REFERENCES accounts (id),
       token text NOT NULL UNIQUE,
       created_at timestamptz NOT NULL
     )`,
    // The account is the one that referred.
    `CREATE TABLE referrals (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       referred_account_id text NOT NULL UNIQUE REFERENCES accounts (id),
       earned_cents bigint NOT NULL CHECK (earned_cents >= 0),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`
  )
}
