/** The table of payouts. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112402_payouts": statements(
    `CREATE TABLE payouts (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       amount bigint NOT NULL CHECK (amount >= 100),
       currency text NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
       destination_id text NOT NULL,
       fee_amount bigint NOT NULL CHECK (fee_amount >= 0),
       automatic boolean NOT NULL,
       submit_at timestamptz NOT NULL,
       failure_reason text CHECK (failure_reason IS NOT NULL OR status <> 'failed'),
       completed_at timestamptz CHECK (completed_at IS NOT NULL OR status <> 'completed'),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id),
       FOREIGN KEY (merchant_id, destination_id) REFERENCES transfer_instruments (account_id, id)
     )`,
    `CREATE INDEX payouts_status ON payouts (merchant_id, status, id)`,
    `CREATE INDEX payouts_currency ON payouts (merchant_id, currency, id)`,
    `CREATE INDEX payouts_destination ON payouts (merchant_id, destination_id, id)`
  )
}
