/** The table of orders. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { beginLog } from "@svc/webhooks/log/beginning"

export const migrations: Migrations = {
  "26112332_orders": statements(
    `CREATE TABLE orders (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       customer_id text,
       status text NOT NULL CHECK (status IN ('paid', 'fulfilled', 'refunded')),
       amount bigint NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       line_items jsonb NOT NULL,
       payment_intent_id text NOT NULL,
       checkout_session_id text NOT NULL,
       tracking text,
       metadata jsonb NOT NULL,
       paid_at timestamptz NOT NULL,
       fulfilled_at timestamptz CHECK (fulfilled_at IS NOT NULL OR status <> 'fulfilled'),
       refunded_at timestamptz CHECK ((refunded_at IS NOT NULL) = (status = 'refunded')),
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CONSTRAINT orders_one_a_payment UNIQUE (account_id, payment_intent_id),
       CONSTRAINT orders_one_a_session UNIQUE (account_id, checkout_session_id)
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX orders_status ON orders (account_id, status, id)`,
    `CREATE INDEX orders_customer ON orders (account_id, customer_id, id) WHERE customer_id IS NOT NULL`
  ),
  // The number, and who carries it.
  "26112432_order_tracking": statements(
    `ALTER TABLE orders ALTER COLUMN tracking TYPE jsonb USING CASE WHEN tracking IS NULL THEN NULL ELSE jsonb_build_object('number', tracking) END`
  ),
  "26113021_orders_before_log": statements(beginLog({ table: "orders", account: "account_id", resource_type: "order" }))
}
