/** The tables of checkpoints. Nothing in them is needed to keep the books; all of it is derived from the chain and signed. */
import { type Migrations, partitionsOf, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112411_checkpoints": statements(
    // One row for each tree that was signed, of all merchants together. Its day is what makes it once a day; other trees have none.
    `CREATE TABLE ledger_trees (
       root_hash text NOT NULL,
       tree_size bigint NOT NULL,
       created_at timestamptz NOT NULL,
       day date UNIQUE,
       key_id text NOT NULL,
       PRIMARY KEY (created_at, root_hash)
     )`,
    // Whatever signed here, so that what was signed can be verified after the key has changed.
    `CREATE TABLE ledger_signing_keys (
       key_id text PRIMARY KEY,
       public_key text NOT NULL,
       first_used_at timestamptz NOT NULL
     )`,
    // A merchant's leaf of such a tree, with all that proves it, so that nobody has to be shown anything of another's.
    `CREATE TABLE ledger_checkpoints (
       id text NOT NULL,
       merchant_id text NOT NULL,
       last_sequence_id bigint NOT NULL,
       head_hash text NOT NULL,
       events_root text NOT NULL,
       leaf_index bigint NOT NULL,
       tree_size bigint NOT NULL,
       root_hash text NOT NULL,
       path jsonb NOT NULL,
       key_id text NOT NULL,
       signature text NOT NULL,
       created_at timestamptz NOT NULL,
       PRIMARY KEY (merchant_id, id)
     ) PARTITION BY HASH (merchant_id)`,
    ...partitionsOf("ledger_checkpoints"),
    `CREATE INDEX ledger_checkpoints_end ON ledger_checkpoints (merchant_id, last_sequence_id DESC, id DESC)`,
    // Of each merchant's tree of events every eighth level, complete nodes only: what never changes. A path reads at most
    // a few groups of 256.
    `CREATE TABLE ledger_tree_nodes (
       merchant_id text NOT NULL,
       level smallint NOT NULL,
       position bigint NOT NULL,
       hash text NOT NULL,
       PRIMARY KEY (merchant_id, level, position)
     ) PARTITION BY HASH (merchant_id)`,
    ...partitionsOf("ledger_tree_nodes")
  )
}
