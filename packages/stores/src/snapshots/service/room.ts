/** What an account keeps of snapshots, and how much it may. */
import { Effect } from "effect"
import { StorageFull } from "../../model.ts"
import { ANONYMOUS, ANONYMOUS_MIB, MIB, SnapshotRoom } from "../model.ts"
import { FactRepository } from "../repository/facts.ts"
import { SnapshotQuotas } from "../repository/quotas.ts"
import { SnapshotRepository } from "../repository/rows.ts"

const full = (room: number, missing: number) =>
  new StorageFull({
    message: `This needs ${missing} compressed bytes more than are free: all snapshots of an account may take ${room}. ` +
      "Delete snapshots, or discard their source: POST /v1/snapshots/{id}/discard."
  })

export const makeRoom = Effect.gen(function*() {
  const roomOfAccount = yield* SnapshotRoom
  const snapshots = yield* SnapshotRepository
  const quotas = yield* SnapshotQuotas
  const facts = yield* FactRepository

  const roomOf = (account: string): number => (account === ANONYMOUS ? ANONYMOUS_MIB : roomOfAccount) * MIB

  /** Refuses what does not fit beside the account's snapshots. Cached facts give way. */
  const checkRoom = Effect.fnUntraced(function*(account: string, bytes: number) {
    const { snapshot_bytes } = yield* quotas.usage(account)
    const missing = snapshot_bytes + bytes - roomOf(account)
    if (missing > 0) return yield* full(roomOf(account), missing)
  })

  /** Takes away the facts that were used longest ago, until all that the account keeps fits. */
  const fitFacts = Effect.fnUntraced(function*(account: string) {
    const { fact_bytes, snapshot_bytes } = yield* quotas.usage(account)
    const over = snapshot_bytes + fact_bytes - roomOf(account)
    if (over > 0) yield* quotas.addUsage(account, { fact_bytes: -(yield* facts.removeOldest(account, over)) })
  })

  /** Counts what a snapshot takes more, or gives back. */
  const addBytes = Effect.fnUntraced(function*(account: string, id: string, bytes: number) {
    yield* snapshots.addBytes(account, id, bytes)
    yield* quotas.addUsage(account, { snapshot_bytes: bytes })
    yield* fitFacts(account)
  })

  return { checkRoom, fitFacts, addBytes }
})
