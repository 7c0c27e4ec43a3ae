/** The table of quotes. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112201_quotes": statements(
    `CREATE TABLE quotes (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       source_amount bigint NOT NULL CHECK (source_amount > 0),
       source_currency text NOT NULL,
       target_amount bigint NOT NULL CHECK (target_amount > 0),
       target_currency text NOT NULL,
       fee_amount bigint NOT NULL CHECK (fee_amount BETWEEN 0 AND source_amount),
       rate text CHECK ((rate IS NULL) = (source_currency = target_currency)),
       rate_date text,
       rate_source text,
       status text NOT NULL CHECK (status IN ('active', 'used', 'expired')),
       expires_at timestamptz NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX quotes_status ON quotes (merchant_id, status, id)`
  ),
  "26112421_quotes_used": statements(
    `ALTER TABLE quotes ADD COLUMN payment_intent_id text CHECK ((payment_intent_id IS NOT NULL) = (status = 'used'))`
  )
}
