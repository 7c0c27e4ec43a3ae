/** The tables of vectors. A row is reached by its namespace's number, so that a namespace made anew has nothing of the one before it. */
import { type Migrations, partitionsOf, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112171_vectors": statements(
    `CREATE SEQUENCE vector_versions`,
    // `version` is that of its last change, `pruned` that of the last one that removed something.
    `CREATE TABLE vector_namespaces (
       account_id text NOT NULL REFERENCES accounts (id),
       name text NOT NULL,
       id bigint GENERATED ALWAYS AS IDENTITY,
       dimensions integer NOT NULL CHECK (dimensions > 0),
       vectors bigint NOT NULL CHECK (vectors >= 0),
       version bigint NOT NULL,
       pruned bigint NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, name)
     )`,
    // Float4 of the machine's order, little end first. Beside the facts and not among them, so that a filter reads no vectors.
    `CREATE TABLE stored_vectors (
       account_id text NOT NULL,
       namespace_id bigint NOT NULL,
       id text NOT NULL,
       version bigint NOT NULL,
       vector bytea NOT NULL,
       updated_at timestamptz NOT NULL,
       PRIMARY KEY (account_id, namespace_id, id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("stored_vectors"),
    // Vectors do not compress.
    `ALTER TABLE stored_vectors ALTER COLUMN vector SET STORAGE EXTERNAL`,
    `CREATE INDEX stored_vectors_changes ON stored_vectors (account_id, namespace_id, version, id)`,
    `CREATE TABLE vector_facts (
       account_id text NOT NULL,
       namespace_id bigint NOT NULL,
       id text NOT NULL,
       metadata jsonb NOT NULL,
       PRIMARY KEY (account_id, namespace_id, id)
     ) PARTITION BY HASH (account_id)`,
    ...partitionsOf("vector_facts")
  )
}
