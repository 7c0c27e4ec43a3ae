/** The sums of each day, derived from the ledger piece by piece, and how far they have come. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26113042_ledger_days": statements(
    `CREATE TABLE ledger_days (
       merchant_id text NOT NULL REFERENCES accounts (id),
       day date NOT NULL,
       currency text NOT NULL,
       captured bigint NOT NULL,
       payments bigint NOT NULL,
       refunded bigint NOT NULL,
       PRIMARY KEY (merchant_id, day, currency)
     )`,
    // The chain has no gaps and grows at its end only, so its numbers say what was added up, whenever an entry was written.
    `CREATE TABLE ledger_day_progress (
       merchant_id text PRIMARY KEY REFERENCES accounts (id),
       sequence_id bigint NOT NULL
     )`
  ),
  // The sums begin anew, because those that there are know nothing of the buckets. Without a default nobody writes half a row.
  "26113091_balances_of_days": statements(
    `DELETE FROM ledger_days`,
    `DELETE FROM ledger_day_progress`,
    `ALTER TABLE ledger_days ADD COLUMN available bigint NOT NULL, ADD COLUMN pending bigint NOT NULL, ADD COLUMN reserved bigint NOT NULL`
  )
}
