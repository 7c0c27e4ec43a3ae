/**
 * The tables of documents and of where words stand in them. A row is reached by its namespace's number, so that a namespace made anew has
 * nothing of the one before it.
 */
import { type Migrations, partitionsOf, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112172_search": statements(
    // What BM25 asks of a collection, `documents` and `tokens`, is counted here by whoever writes.
    `CREATE TABLE search_namespaces (
       account_id text NOT NULL REFERENCES accounts (id),
       name text NOT NULL,
       id bigint GENERATED ALWAYS AS IDENTITY,
       documents bigint NOT NULL CHECK (documents >= 0),
       tokens bigint NOT NULL CHECK (tokens >= 0),
       bytes bigint NOT NULL CHECK (bytes >= 0),
       next_number integer NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, name)
     )`,
    `CREATE TABLE search_documents (
       account_id text NOT NULL,
       namespace_id bigint NOT NULL,
       doc_id text NOT NULL,
       number integer NOT NULL,
       url text,
       site text COLLATE "C",
       title text NOT NULL,
       content text NOT NULL,
       tokens integer NOT NULL,
       bytes integer NOT NULL,
       metadata jsonb NOT NULL,
       indexed_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, namespace_id, doc_id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("search_documents"),
    `CREATE UNIQUE INDEX search_documents_number ON search_documents (account_id, namespace_id, number)`,
    `CREATE INDEX search_documents_site ON search_documents (account_id, namespace_id, site, number)`,
    // The documents of one block that hold the term, packed (packing.ts).
    `CREATE TABLE search_postings (
       account_id text NOT NULL,
       namespace_id bigint NOT NULL,
       term text COLLATE "C" NOT NULL,
       block integer NOT NULL,
       postings bytea NOT NULL,
       PRIMARY KEY (account_id, namespace_id, term, block)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("search_postings"),
    // Packed already.
    `ALTER TABLE search_postings ALTER COLUMN postings SET STORAGE EXTERNAL`
  )
}
