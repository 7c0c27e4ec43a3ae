/** The table of crawled pages: a row for each account that has crawled, which counts one month. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112320_crawled_pages": statements(
    `CREATE TABLE crawled_pages (
       account_id text PRIMARY KEY REFERENCES accounts (id),
       month date NOT NULL,
       pages bigint NOT NULL CHECK (pages >= 0)
     )`
  )
}
