/** The clocks of accounts, and which timers are left to them. */
import { audit } from "../database/audit.ts"
import { type Migrations, statements } from "../database/migrations.ts"

export const migrations: Migrations = {
  "26112110_account_clocks": statements(
    // One row an account that has a clock of its own. Only the holder of the lease moves the clock and runs what is due.
    `CREATE TABLE account_clocks (
       account_id text PRIMARY KEY,
       id text NOT NULL,
       present timestamptz NOT NULL,
       advance_to timestamptz,
       lease_until timestamptz,
       lease_token text,
       created_at timestamptz NOT NULL,
       CONSTRAINT account_clocks_forward CHECK (advance_to >= present),
       CONSTRAINT account_clocks_lease CHECK ((lease_until IS NULL) = (lease_token IS NULL))
     ) WITH (fillfactor = 50)`,
    `CREATE INDEX account_clocks_under_way ON account_clocks (account_id) WHERE advance_to IS NOT NULL OR lease_token IS NOT NULL`,
    // Timers of accounts that stand still would be due by the world's time for ever, and every worker would pass over all of them.
    `ALTER TABLE timers ADD COLUMN held boolean NOT NULL DEFAULT false`,
    `DROP INDEX timers_due`,
    `CREATE INDEX timers_due ON timers (due_at) WHERE NOT held`,
    `CREATE INDEX timers_held ON timers (account_id, due_at, kind, resource_id) WHERE held`
  ),
  // Audited is that an account was given a clock, and not where the clock stands: the service writes that all the time.
  "26112402_audit": statements(
    audit({ table: "account_clocks", resource: "test_clock", account: "account_id", id: "id", hidden: ["lease_token"], on: "INSERT" })
  ),
  // How much an advance has done, and why one ended before it arrived; how many commits the account had when it got its clock. A clock can
  // be removed, and that is in the log.
  "26113010_clock_stops": statements(
    `ALTER TABLE account_clocks ADD COLUMN done bigint NOT NULL DEFAULT 0, ADD COLUMN stopped jsonb, ADD COLUMN commits_before bigint NOT NULL DEFAULT 0`,
    `DROP TRIGGER account_clocks_audit ON account_clocks`,
    audit({
      table: "account_clocks",
      resource: "test_clock",
      account: "account_id",
      id: "id",
      hidden: ["lease_token"],
      on: "INSERT OR DELETE"
    })
  )
}
