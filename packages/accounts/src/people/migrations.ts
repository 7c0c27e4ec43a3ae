/** The tables of people. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112431_people": statements(
    `CREATE TABLE users (
       id text PRIMARY KEY,
       name text NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL
     )`,
    // Who is what: a null account is the installation.
    `CREATE TABLE members (
       account_id text REFERENCES accounts (id),
       user_id text NOT NULL REFERENCES users (id),
       role text NOT NULL CHECK (role IN ('owner', 'developer', 'support', 'finance', 'viewer')),
       -- Where this account reaches the person. Another account may know them by another address.
       email text,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       UNIQUE NULLS NOT DISTINCT (account_id, user_id)
     )`,
    `CREATE INDEX members_user ON members (user_id)`,
    `CREATE TABLE invitations (
       id text PRIMARY KEY,
       account_id text REFERENCES accounts (id),
       role text NOT NULL,
       email text,
       -- The person who invites; null where a key does, or the command line.
       invited_by text,
       hash text NOT NULL UNIQUE,
       created_at timestamptz NOT NULL,
       expires_at timestamptz NOT NULL,
       used_at timestamptz,
       revoked_at timestamptz,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL
     )`,
    `CREATE INDEX invitations_account ON invitations (account_id, id)`,
    audit({ table: "members", resource: "person", account: "account_id", id: "user_id", hidden: ["email"] }),
    audit({ table: "invitations", resource: "invitation", account: "account_id", id: "id", hidden: ["hash"] }),
    `CREATE VIEW people AS
       SELECT m.user_id AS id, m.account_id, u.name, m.email, m.role, m.created_at, m.updated_at, m.version
       FROM members m JOIN users u ON u.id = m.user_id`
  )
}
