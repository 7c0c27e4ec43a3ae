/** The table of API keys. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112102_api_keys": statements(
    `CREATE TABLE api_keys (
       id text PRIMARY KEY,
       account_id text REFERENCES accounts (id),
       kind text NOT NULL CHECK (kind IN ('secret', 'restricted', 'operator')),
       name text NOT NULL,
       prefix text NOT NULL,
       hash text NOT NULL UNIQUE,
       scopes jsonb NOT NULL,
       status text NOT NULL CHECK (status IN ('active', 'revoked')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       revoked_at timestamptz,
       version bigint NOT NULL,
       CHECK ((kind = 'operator') = (account_id IS NULL))
     )`,
    `CREATE INDEX api_keys_account ON api_keys (account_id, id)`
  ),
  "26112111_tool_api_keys": statements(
    `ALTER TABLE api_keys DROP CONSTRAINT api_keys_kind_check, ADD CONSTRAINT api_keys_kind_check CHECK (kind IN ('secret', 'restricted', 'tool', 'operator'))`
  ),
  "26112403_audit_api_keys": statements(
    audit({ table: "api_keys", resource: "api_key", account: "account_id", id: "id", hidden: ["hash"] })
  )
}
