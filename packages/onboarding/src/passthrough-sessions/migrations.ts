/** The table of passthrough sessions. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26120186_passthrough_sessions": statements(
    `CREATE TABLE passthrough_sessions (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       flow_kind text NOT NULL CHECK (flow_kind IN ('payout_bank', 'business_verify')),
       status text NOT NULL CHECK (status IN ('open', 'completed', 'expired')),
       made_by jsonb NOT NULL,
       secret_hash text NOT NULL,
       secret sealed NOT NULL,
       prefilled jsonb NOT NULL,
       fields jsonb NOT NULL CHECK (fields = '{}' OR status = 'open'),
       result_id text CHECK ((result_id IS NOT NULL) = (status = 'completed')),
       expires_at timestamptz NOT NULL,
       completed_at timestamptz CHECK ((completed_at IS NOT NULL) = (status = 'completed')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`,
    `CREATE INDEX passthrough_sessions_status ON passthrough_sessions (account_id, status, id)`,
    `CREATE INDEX passthrough_sessions_flow ON passthrough_sessions (account_id, flow_kind, id)`,
    // The page is asked for without an account.
    `CREATE INDEX passthrough_sessions_secret ON passthrough_sessions (secret_hash)`,
    audit({
      table: "passthrough_sessions",
      resource: "passthrough_session",
      account: "account_id",
      id: "id",
      hidden: ["secret", "secret_hash", "fields"]
    })
  )
}
