/** The simulator's books. Nothing of ours refers to them. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112470_simulator_records": statements(
    `CREATE TABLE simulator_records (
       merchant_id text NOT NULL,
       id text NOT NULL,
       rail text NOT NULL,
       type text NOT NULL,
       provider_reference text NOT NULL,
       amount bigint NOT NULL,
       currency text NOT NULL,
       occurred_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX simulator_records_time ON simulator_records (merchant_id, rail, occurred_at, id)`
  ),
  "26120101_simulator_records_with_fees": statements(
    `ALTER TABLE simulator_records ADD COLUMN fee bigint NOT NULL DEFAULT 0 CHECK (fee >= 0)`
  )
}
