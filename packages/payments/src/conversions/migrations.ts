/** The table of conversions. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112423_conversions": statements(
    `CREATE TABLE conversions (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       payment_intent_id text NOT NULL,
       quote_id text,
       source_amount bigint NOT NULL CHECK (source_amount > 0),
       source_currency text NOT NULL,
       target_amount bigint NOT NULL CHECK (target_amount > 0),
       target_currency text NOT NULL CHECK (target_currency <> source_currency),
       fee_amount bigint NOT NULL CHECK (fee_amount >= 0),
       rate text NOT NULL,
       rate_date text NOT NULL,
       rate_source text NOT NULL,
       status text NOT NULL CHECK (status = 'executed'),
       created_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE UNIQUE INDEX conversions_payment ON conversions (merchant_id, payment_intent_id)`,
    // That a quote is used once is for its own row to say, of which each version is written once.
    `CREATE INDEX conversions_target ON conversions (merchant_id, target_currency, id)`
  )
}
