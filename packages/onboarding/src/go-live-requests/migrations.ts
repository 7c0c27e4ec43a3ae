/** The table of requests to go live. */
import { audit } from "@svc/kernel/database/audit"
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26113053_go_live_requests": statements(
    `CREATE TABLE go_live_requests (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
       requested_by text NOT NULL,
       decided_by text CHECK ((decided_by IS NULL) = (status = 'pending')),
       decided_at timestamptz CHECK ((decided_at IS NULL) = (status = 'pending')),
       rejection_reason text CHECK ((rejection_reason IS NOT NULL) = (status = 'rejected')),
       live_account_id text UNIQUE REFERENCES accounts (id) CHECK ((live_account_id IS NOT NULL) = (status = 'approved')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX go_live_requests_merchant_status ON go_live_requests (merchant_id, status, id)`,
    // An account asks once, unless it was rejected.
    `CREATE UNIQUE INDEX go_live_requests_open ON go_live_requests (merchant_id) WHERE status IN ('pending', 'approved')`,
    // For the operator, who names it alone or looks at those of all accounts.
    `CREATE UNIQUE INDEX go_live_requests_id ON go_live_requests (id)`,
    `CREATE INDEX go_live_requests_status ON go_live_requests (status, id)`,
    audit({ table: "go_live_requests", resource: "go_live_request", account: "merchant_id", id: "id" })
  )
}
