/** Signs the ends of ledgers: each is a leaf of one Merkle tree, whose root is signed. */
import { levelsOf, pathIn } from "@svc/kernel/signatures/merkle"
import type { SigningKey } from "@svc/kernel/signatures/signing-key"
import { nextId } from "@svc/kernel/values/ids"
import { iso, realNow } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { type Checkpoint, CheckpointId } from "../model.ts"
import { type ChainEnd, leafOf, statementText } from "../verify.ts"

/** The signed statement, and a checkpoint for each of the ends, in their order. */
export const signEnds = Effect.fnUntraced(function*({ publicKey, sign }: SigningKey["Service"], ends: ReadonlyArray<ChainEnd>) {
  const at = yield* realNow
  const levels = levelsOf(ends.map(leafOf))
  const statement = { root_hash: levels.at(-1)?.[0]?.toString("hex") ?? "", tree_size: ends.length, created_at: iso(at) }
  const signature = sign(statementText(statement))
  const checkpoints = yield* Effect.forEach(ends, (end, leaf_index) =>
    Effect.map(nextId("lcp"), (id): Checkpoint => ({
      ...end,
      ...statement,
      id: CheckpointId.make(id),
      leaf_index,
      path: pathIn(levels, leaf_index).map((hash) => hash.toString("hex")),
      key_id: publicKey.kid,
      signature,
      created_at: at
    })))
  return { checkpoints, statement }
})
