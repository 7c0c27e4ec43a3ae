/** The table of portal sessions. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112311_portal_sessions": statements(
    `CREATE TABLE portal_sessions (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       customer_id text NOT NULL,
       status text NOT NULL CHECK (status IN ('active', 'expired', 'revoked')),
       url text NOT NULL,
       return_url text,
       locale text,
       last_plan_change jsonb,
       changing jsonb,
       expires_at timestamptz NOT NULL,
       revoked_at timestamptz CHECK ((revoked_at IS NOT NULL) = (status = 'revoked')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`,
    `CREATE INDEX portal_sessions_status ON portal_sessions (account_id, status, id)`,
    `CREATE INDEX portal_sessions_customer ON portal_sessions (account_id, customer_id, id)`,
    // The page is asked for without an account.
    `CREATE INDEX portal_sessions_id ON portal_sessions (id)`
  ),
  // A change of plan is told of in its own commit, and nothing looks for it afterwards.
  "26112611_portal_plan_changes": statements(
    `ALTER TABLE portal_sessions DROP COLUMN changing`,
    `DELETE FROM timers WHERE kind = 'portal_session.changed'`
  ),
  // Text until then; rows that are there already are sealed by the process that starts with this version.
  "26113012_portal_sessions_sealed": statements(
    `ALTER TABLE portal_sessions ADD COLUMN secret sealed`,
    `CREATE INDEX portal_sessions_unsealed ON portal_sessions (id) WHERE secret IS NULL`
  ),
  "26113022_portal_sessions_before_log": statements(
    beginLog({ table: "portal_sessions", account: "account_id", resource_type: "customer_portal", hidden: ["url", "secret"] })
  )
}
