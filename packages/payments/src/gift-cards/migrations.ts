/** The table of gift cards. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112425_gift_cards": statements(
    `CREATE TABLE gift_cards (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       currency text NOT NULL,
       balance bigint NOT NULL CHECK (balance >= 0),
       status text NOT NULL CHECK (status IN ('issued', 'active', 'used') AND (status = 'active') = (balance > 0)),
       last4 text NOT NULL,
       code_hash text NOT NULL,
       wrong_tries integer NOT NULL,
       locked_until timestamptz,
       created_at timestamptz NOT NULL,
       updated_at timestamptz NOT NULL,
       version bigint NOT NULL,
       PRIMARY KEY (merchant_id, id)
     )`,
    `CREATE INDEX gift_cards_status ON gift_cards (merchant_id, status, id)`,
    `CREATE INDEX gift_cards_currency ON gift_cards (merchant_id, currency, id)`
  )
}
