/** The table of payment methods. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112101_payment_methods": statements(
    `CREATE TABLE payment_methods (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       type text NOT NULL CHECK (type IN ('card', 'usdc_wallet', 'bank_account')),
       status text NOT NULL CHECK (status IN ('active', 'revoked')),
       customer_id text,
       brand text,
       last4 text,
       exp_month integer,
       exp_year integer,
       fingerprint text NOT NULL,
       token text NOT NULL,
       metadata jsonb NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id)
     )`,
    `CREATE INDEX payment_methods_customer ON payment_methods (account_id, customer_id, id) WHERE customer_id IS NOT NULL`
  ),
  "26113021_payment_methods_before_log": statements(
    beginLog({ table: "payment_methods", account: "account_id", resource_type: "payment_method", hidden: ["token"] })
  ),
  // People know a card by these; a charge with a method that there is writes no entry of it.
  "26120102_payment_methods_last4": statements(
    `CREATE INDEX payment_methods_last4 ON payment_methods (account_id, last4, id) WHERE last4 IS NOT NULL`
  )
}
