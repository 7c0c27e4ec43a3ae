/** The table of plans that were bought. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112196_account_plans": statements(
    `CREATE TABLE account_plans (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       plan text NOT NULL,
       started_at timestamptz NOT NULL,
       months_granted integer NOT NULL CHECK (months_granted > 0),
       months_paid integer CHECK (months_paid >= months_granted),
       ends_at timestamptz CHECK ((ends_at IS NULL) = (months_paid IS NULL)),
       purchase_id text NOT NULL,
       payment_intent_id text NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CONSTRAINT account_plans_one_of_each UNIQUE (account_id, plan)
     )`
  )
}
