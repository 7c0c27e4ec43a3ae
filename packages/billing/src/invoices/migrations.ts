/** The table of invoices. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112323_invoices": statements(
    `CREATE TABLE invoices (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       number text,
       status text NOT NULL CHECK (status IN ('draft', 'open', 'paid', 'void', 'uncollectible')),
       customer_id text NOT NULL,
       subscription_id text,
       billing_cycle_id text,
       currency text NOT NULL,
       period_start timestamptz NOT NULL,
       period_end timestamptz NOT NULL,
       due_date timestamptz NOT NULL,
       lines jsonb NOT NULL,
       subtotal bigint NOT NULL CHECK (subtotal >= 0),
       adjustment bigint NOT NULL,
       credit_applied bigint NOT NULL CHECK (credit_applied >= 0),
       credit_carried bigint NOT NULL CHECK (credit_carried >= 0),
       total bigint NOT NULL CHECK (total >= 0),
       amount_due bigint NOT NULL CHECK (amount_due >= 0),
       amount_paid bigint NOT NULL CHECK (amount_paid >= 0),
       payment_intent_id text,
       memo text,
       metadata jsonb NOT NULL,
       hosted_url text,
       pdf_url text NOT NULL,
       hosted_token text NOT NULL,
       finalized_at timestamptz CHECK ((finalized_at IS NOT NULL) = (number IS NOT NULL)),
       sent_at timestamptz,
       paid_at timestamptz,
       voided_at timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CHECK (subtotal + adjustment - credit_applied + credit_carried = total)
     ) WITH (fillfactor = 80)`,
    `CREATE UNIQUE INDEX invoices_number ON invoices (account_id, number) WHERE number IS NOT NULL`,
    `CREATE INDEX invoices_status ON invoices (account_id, status, id)`,
    `CREATE INDEX invoices_customer ON invoices (account_id, customer_id, id)`,
    `CREATE INDEX invoices_subscription ON invoices (account_id, subscription_id, id) WHERE subscription_id IS NOT NULL`,
    // The page that a customer sees is found by this alone.
    `CREATE UNIQUE INDEX invoices_hosted_token ON invoices (hosted_token)`
  ),
  "26113024_invoices_before_log": statements(
    beginLog({ table: "invoices", account: "account_id", resource_type: "invoice", hidden: ["hosted_token"] })
  )
}
