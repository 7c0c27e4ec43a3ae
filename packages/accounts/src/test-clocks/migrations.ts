/** What ties the clocks that the kernel keeps to accounts. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112110_test_clocks": statements(
    `ALTER TABLE account_clocks ADD CONSTRAINT account_clocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)`
  )
}
