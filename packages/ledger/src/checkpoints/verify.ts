/**
 * What a checkpoint says and how it is proved, pure, so that the service and whoever trusts nobody run the same code. A checkpoint is a
 * leaf of a Merkle tree over the ledgers of many merchants, whose root is signed; the leaf holds the end of one merchant's chain, and
 * the root of a second tree over the hashes of that merchant's events.
 */
import { leafHash, rootFrom } from "@svc/kernel/signatures/merkle"
import { isSignedBy, type PublicKey } from "@svc/kernel/signatures/signing-key"
import { canonicalize } from "@svc/kernel/values/canonical-json"

/** Where a merchant's chain ended. */
export interface ChainEnd {
  readonly merchant_id: string
  readonly last_sequence_id: number
  /** `event_hash` of that event. */
  readonly head_hash: string
  /** Root of the Merkle tree over the `event_hash` of every event from the first to this one. */
  readonly events_root: string
}

/** What is signed. */
export interface Statement {
  readonly root_hash: string
  readonly tree_size: number
  /** ISO 8601 UTC with milliseconds. */
  readonly created_at: string
}

/** A checkpoint with all that proves it. */
export interface SealedCheckpoint extends ChainEnd, Statement {
  readonly leaf_index: number
  readonly path: ReadonlyArray<string>
  readonly signature: string
}

/** RFC 8785 JSON, whole numbers as decimal strings as in the chain. */
export const leafText = ({ events_root, head_hash, last_sequence_id, merchant_id }: ChainEnd): string =>
  canonicalize({ events_root, head_hash, last_sequence_id: String(last_sequence_id), merchant_id })

/** The text whose UTF-8 bytes are signed. */
export const statementText = ({ created_at, root_hash, tree_size }: Statement): string =>
  canonicalize({ created_at, root_hash, tree_size: String(tree_size), type: "svc.ledger.checkpoint.v1" })

export const leafOf = (end: ChainEnd): Buffer => leafHash(Buffer.from(leafText(end)))

/** The leaf of an event: the bytes of its `event_hash`. */
export const eventLeaf = (event_hash: string): Buffer => leafHash(Buffer.from(event_hash, "hex"))

const bytes = (hexes: ReadonlyArray<string>): ReadonlyArray<Buffer> => hexes.map((hex) => Buffer.from(hex, "hex"))

/** Whether the checkpoint is in the tree whose root is signed, and the signature is this key's. */
export const isSealedBy = (key: PublicKey, sealed: SealedCheckpoint): boolean =>
  rootFrom(leafOf(sealed), sealed.leaf_index, sealed.tree_size, bytes(sealed.path))?.toString("hex") === sealed.root_hash &&
  isSignedBy(key, statementText(sealed), sealed.signature)

/** Whether an event is one of those that a checkpoint's `events_root` stands for. */
export const isIncluded = (
  { event_hash, path, sequence_id }: { readonly event_hash: string; readonly sequence_id: number; readonly path: ReadonlyArray<string> },
  { events_root, last_sequence_id }: Pick<ChainEnd, "events_root" | "last_sequence_id">
): boolean => rootFrom(eventLeaf(event_hash), sequence_id - 1, last_sequence_id, bytes(path))?.toString("hex") === events_root
