/** The table of files. Their bytes stand beside them: they are few and small, and are backed up with the disputes that they answer. */
import { type Migrations, statements } from "@svc/kernel/database/migrations"
import { MOST_BYTES } from "./model.ts"

export const migrations: Migrations = {
  "26112410_files": statements(
    `CREATE TABLE files (
       merchant_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       purpose text NOT NULL,
       filename text,
       content_type text NOT NULL,
       size integer NOT NULL CHECK (size BETWEEN 1 AND ${MOST_BYTES}),
       sha256 text NOT NULL,
       created_at timestamptz NOT NULL,
       content bytea NOT NULL CHECK (octet_length(content) = size),
       PRIMARY KEY (merchant_id, id),
       UNIQUE (merchant_id, purpose, sha256)
     )`,
    // What is compressed already only costs time to compress again.
    `ALTER TABLE files ALTER COLUMN content SET STORAGE EXTERNAL`
  )
}
