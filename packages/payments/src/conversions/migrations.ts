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
    // A quote is used once.
    `CREATE UNIQUE INDEX conversions_quote ON conversions (merchant_id, quote_id) WHERE quote_id IS NOT NULL`,
    `CREATE INDEX conversions_target ON conversions (merchant_id, target_currency, id)`
  )
}
