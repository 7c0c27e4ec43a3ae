/** The table of purchases, and what a grant knows of the one that it comes from. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112197_credit_purchases": statements(
    `CREATE TABLE credit_purchases (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       plan text,
       tool text,
       pays_for text,
       state text NOT NULL CHECK (state IN ('open', 'paid', 'failed', 'expired')),
       charge jsonb CHECK (charge IS NULL OR state = 'open'),
       charges integer NOT NULL,
       payment_intent_id text CHECK ((payment_intent_id IS NOT NULL) = (state = 'paid')),
       credit_grant_id text,
       failure_reason text,
       expires_at timestamptz NOT NULL,
       paid_at timestamptz CHECK ((paid_at IS NOT NULL) = (state = 'paid')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     ) WITH (fillfactor = 80)`,
    `ALTER TABLE credit_grants ADD COLUMN purchase_id text, ADD COLUMN pays_for text`
  )
}
