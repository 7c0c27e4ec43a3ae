/** The table of work runs. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26113052_work_runs": statements(
    `CREATE TABLE work_runs (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       steps jsonb NOT NULL,
       goal_progress_pct integer NOT NULL CHECK (goal_progress_pct BETWEEN 0 AND 100),
       next_step_id text,
       live_account_id text,
       computed_at timestamptz NOT NULL,
       refreshed_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    audit({ table: "work_runs", resource: "work_run", account: "merchant_id", id: "id" })
  )
}
