/** The table of customers, and a customer for each reference that payment methods were kept for before there were any. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

/** The id of such a customer is that of its first method, with another prefix: as unique, and of the same moment. */
export const CUSTOMERS_OF_METHODS =
  `INSERT INTO customers (account_id, id, customer_id, default_payment_method_id, metadata, created_at, updated_at, version)
  SELECT account_id, 'cus_' || substr(min(id), 4), customer_id, (array_agg(id ORDER BY id) FILTER (WHERE status = 'active'))[1],
    '{}'::jsonb, min(created_at), min(created_at), 1
  FROM payment_methods WHERE customer_id IS NOT NULL GROUP BY account_id, customer_id`

export const migrations: Migrations = {
  "26112331_customers": statements(
    `CREATE TABLE customers (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       customer_id text NOT NULL,
       name text,
       email text,
       locale text,
       default_payment_method_id text,
       metadata jsonb NOT NULL,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (account_id, id),
       CONSTRAINT customers_one_a_reference UNIQUE (account_id, customer_id)
     ) WITH (fillfactor = 80)`,
    `CREATE INDEX customers_email ON customers (account_id, email, id) WHERE email IS NOT NULL`,
    CUSTOMERS_OF_METHODS
  ),
  "26120187_customers_lower_email": statements(
    `CREATE INDEX customers_lower_email ON customers (account_id, lower(email), id) WHERE email IS NOT NULL`
  ),
  // Addresses are looked for without regard to capitals, by the index above.
  "26120250_customers_by_lower_email": statements(`DROP INDEX customers_email`)
}
