/** The checkpoint: where a merchant's chain ended at a moment, signed, so that nobody can rewrite later what it held. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { FinancialEventId, Hash, SequenceId } from "../financial-events/model.ts"

// The contract includes how to check it.
export { isIncluded, isSealedBy, leafText, statementText } from "./verify.ts"

export const CheckpointId = idSchema("lcp", "CheckpointId")
export type CheckpointId = typeof CheckpointId.Type

const Path = Schema.Array(Hash)

/** Row and wire in one declaration. */
export const Checkpoint = resource({
  id: CheckpointId,
  merchant_id: Schema.String,
  /** Where the chain ended; 0 before its first event. */
  last_sequence_id: Schema.Natural,
  /** `event_hash` of that event; 64 zeros before the first. */
  head_hash: Hash,
  /** Root of the Merkle tree over the hashes of all events to that one. */
  events_root: Hash,
  /** The place among the ledgers that were signed together. */
  leaf_index: Schema.Natural,
  tree_size: Schema.Int,
  root_hash: Hash,
  /** The hashes that lead from this leaf to the root, from the bottom up. */
  path: Path,
  /** `kid` of the key in `/.well-known/jwks.json`. */
  key_id: Schema.String,
  /** Ed25519, base64url. */
  signature: Schema.String,
  created_at: Timestamp
})
export type Checkpoint = typeof Checkpoint.Type

const example = {
  id: exampleId("lcp"),
  merchant_id: exampleId("acct"),
  last_sequence_id: 2,
  head_hash: "daea6c633504088bc1cccb46127affb4ef5b224357144a2c12d9395e9b1ec585",
  events_root: "5f5c36fe4ea4c2b1a8b6ac43f4e7fdd5a1b8b0ca74a1b3c2ff4c1c0f4a0f2d11",
  leaf_index: 0,
  tree_size: 1,
  root_hash: "0a7e6f60d0a4a55f7e1e21ce1ea25a4bb8b6ff1d65ae0e0c2cf2d4f3f6e3e5aa",
  path: [],
  key_id: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
  signature: "pZ0mRkzYt7sQ0P0sNzSyBkYb3Yh7c5rKp2wq6ZbOQXHnJ2n3o3l5W0cGv7yXqk4l2vZpS0m1b8wq7t6u5r4e3w",
  created_at: EXAMPLE_TIME
}

/** What the API shows. */
export const CheckpointJson = Checkpoint.json.annotate({
  identifier: "LedgerCheckpoint",
  description:
    "Where the merchant's chain ended, as one leaf of a Merkle tree (RFC 6962) over many ledgers. The leaf is the RFC 8785 JSON of `events_root`, `head_hash`, " +
    "`last_sequence_id` (as text) and `merchant_id`; signed is the RFC 8785 JSON of `created_at`, `root_hash`, `tree_size` (as text) and `type`, which is `svc.ledger.checkpoint.v1`."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** The proof that an event is among the events of a checkpoint. */
export const EventProof = Schema.Struct({
  event_id: FinancialEventId,
  sequence_id: SequenceId,
  event_hash: Hash,
  path: Path.annotate({
    description:
      "The hashes that lead from this event to `events_root` of the checkpoint: RFC 6962 over the bytes of each `event_hash`; the leaf is number `sequence_id` - 1 of `last_sequence_id`"
  }),
  checkpoint: CheckpointJson
}).annotate({
  identifier: "FinancialEventProof",
  description: "Proof that an event is part of what a signed checkpoint stands for."
}).pipe(Schema.annotateEncoded({
  examples: [{
    event_id: exampleId("fe"),
    sequence_id: 2,
    event_hash: example.head_hash,
    path: ["3a099616982eb7058ed547cec0f8429e89c6e91938f7b56f682c3aa19b4847ad"],
    checkpoint: example
  }]
}))
export type EventProof = typeof EventProof.Type

/** Levels from one that is kept to the next. */
export const STEP = 8
/** Nodes of a kept level below one of the next. */
export const GROUP = 2 ** STEP

/** Nodes of a kept level, from the first to before the last. */
export interface Span {
  readonly level: number
  readonly from: number
  readonly to: number
}

/** A node that is kept. */
export interface Node {
  readonly level: number
  readonly position: number
  readonly hash: Buffer
}
