/** The table of webhook endpoints. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112101_webhook_endpoints": statements(
    `CREATE TABLE webhook_endpoints (
       account_id text PRIMARY KEY REFERENCES accounts (id),
       url text NOT NULL,
       secret text NOT NULL,
       previous_secret text,
       previous_secret_expires_at timestamptz,
       schedule text NOT NULL CHECK (schedule IN ('standard', 'long')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL
     )`
  ),
  "26112103_webhook_secrets": statements(
    // [{"secret", "expires_at"}], the newest first, with times as the wire has them.
    `ALTER TABLE webhook_endpoints ADD COLUMN previous_secrets jsonb NOT NULL DEFAULT '[]'`,
    `UPDATE webhook_endpoints SET previous_secrets = jsonb_build_array(jsonb_build_object(
       'secret', previous_secret,
       'expires_at', to_char(previous_secret_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
     WHERE previous_secret IS NOT NULL AND previous_secret_expires_at IS NOT NULL`,
    `ALTER TABLE webhook_endpoints DROP COLUMN previous_secret, DROP COLUMN previous_secret_expires_at`
  ),
  "26112401_audit_webhook_endpoints": statements(
    audit({
      table: "webhook_endpoints",
      resource: "webhook_endpoint",
      account: "account_id",
      id: "account_id",
      hidden: ["secret", "previous_secrets"]
    })
  )
}
