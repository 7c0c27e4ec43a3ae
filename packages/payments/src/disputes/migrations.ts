/** The table of disputes. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112302_disputes": statements(
    `CREATE TABLE disputes (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       payment_intent_id text NOT NULL,
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       reason text NOT NULL,
       status text NOT NULL CHECK (status IN ('open', 'under_review', 'won', 'lost', 'accepted', 'expired')),
       evidence_due_by timestamptz CHECK ((evidence_due_by IS NOT NULL) = (status = 'open')),
       evidence jsonb NOT NULL,
       evidence_submitted_at timestamptz CHECK ((evidence_submitted_at IS NOT NULL) = (status IN ('under_review', 'won', 'lost'))),
       fee_amount bigint NOT NULL CHECK (fee_amount >= 0),
       previous_dispute_id text,
       network_reference text NOT NULL,
       closed_at timestamptz CHECK ((closed_at IS NOT NULL) = (status IN ('won', 'lost', 'accepted', 'expired'))),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    // A network tells the same thing again and again: it is one dispute.
    `CREATE UNIQUE INDEX disputes_network_reference ON disputes (merchant_id, network_reference)`,
    `CREATE UNIQUE INDEX disputes_one_open_a_payment ON disputes (merchant_id, payment_intent_id) WHERE status IN ('open', 'under_review')`,
    `CREATE INDEX disputes_payment ON disputes (merchant_id, payment_intent_id, id)`,
    `CREATE INDEX disputes_status ON disputes (merchant_id, status, id)`,
    `CREATE INDEX disputes_currency ON disputes (merchant_id, currency, id)`
  ),
  "26113024_disputes_before_log": statements(beginLog({ table: "disputes", account: "merchant_id", resource_type: "dispute" }))
}
