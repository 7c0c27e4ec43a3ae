/** The tables of agent keys, and of how much they are used. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112112_agent_keys": statements(
    `CREATE TABLE agent_keys (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       parent_id text,
       depth integer NOT NULL CHECK (depth BETWEEN 1 AND 3),
       name text NOT NULL,
       status text NOT NULL CHECK (status IN ('active', 'revoked', 'expired')),
       sandbox boolean NOT NULL,
       policy jsonb NOT NULL,
       hash text NOT NULL UNIQUE,
       expires_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       FOREIGN KEY (account_id, parent_id) REFERENCES agent_keys (account_id, id),
       CHECK ((depth = 1) = (parent_id IS NULL))
     )`,
    `CREATE INDEX agent_keys_parent ON agent_keys (account_id, parent_id) WHERE parent_id IS NOT NULL AND status = 'active'`,
    // Beside the keys and not in them: a row that is written every second must not stand in the way of a change.
    `CREATE TABLE agent_key_uses (
       account_id text NOT NULL,
       agent_key_id text NOT NULL,
       calls bigint NOT NULL,
       last_used_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, agent_key_id),
       FOREIGN KEY (account_id, agent_key_id) REFERENCES agent_keys (account_id, id)
     )`
  ),
  "26112404_audit_agent_keys": statements(
    audit({ table: "agent_keys", resource: "agent_key", account: "account_id", id: "id", hidden: ["hash"] })
  )
}
