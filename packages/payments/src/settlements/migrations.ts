/** The table of settlements, and a settlement for each payment that was captured before this table existed. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112141_settlements": statements(
    `CREATE TABLE settlements (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       payment_intent_id text NOT NULL,
       amount bigint NOT NULL CHECK (amount >= 0),
       currency text NOT NULL,
       status text NOT NULL CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
       due_at timestamptz NOT NULL,
       attempts integer NOT NULL CHECK (attempts >= 0),
       completed_at timestamptz CHECK ((completed_at IS NOT NULL) = (status = 'completed')),
       failure_reason text,
       payout_destination text,
       payout_method text,
       settlement_asset text,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id),
       CONSTRAINT settlements_one_a_payment UNIQUE (merchant_id, payment_intent_id)
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX settlements_status ON settlements (merchant_id, status, id)`,
    `CREATE INDEX settlements_currency ON settlements (merchant_id, currency, id)`,
    // The id of such a settlement is the id of its payment with another prefix: unique, and with the same time.
    `INSERT INTO settlements (merchant_id, id, payment_intent_id, amount, currency, status, due_at, attempts, created_at, updated_at, version)
     SELECT merchant_id, 'set_' || substr(id, 4), id, unsettled_amount, currency, 'queued', updated_at + interval '2 days', 0, updated_at, updated_at, 1
     FROM payment_intents WHERE unsettled_amount > 0`,
    `INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) SELECT merchant_id, 'settlement.due', id, due_at, 0 FROM settlements`
  ),
  "26113023_settlements_before_log": statements(beginLog({ table: "settlements", account: "merchant_id", resource_type: "settlement" }))
}
