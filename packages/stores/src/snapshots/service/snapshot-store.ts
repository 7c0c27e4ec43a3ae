/**
 * Snapshots of accounts, and of nobody: begun, completed or failed, read, and taken away. The first argument is the account, or
 * `ANONYMOUS`. As a viewer, an account sees its own snapshots and those that belong to nobody.
 */
import { Context, Effect, Layer } from "effect"
import { makeBeginning } from "./beginning.ts"
import { makeCachedFacts } from "./cached-facts.ts"
import { makeReading } from "./reading.ts"
import { makeWriting } from "./writing.ts"

export class SnapshotStore extends Context.Service<SnapshotStore>()("@svc/stores/SnapshotStore", {
  make: Effect.gen(function*() {
    const { discard, remove, ...writing } = yield* makeWriting
    const { accountOf, ...reading } = yield* makeReading
    return {
      ...(yield* makeBeginning),
      ...(yield* makeCachedFacts),
      ...writing,
      ...reading,
      /** For good: with its artifacts, its source and what a search of them finds. */
      remove: (viewer: string, id: string) => Effect.flatMap(accountOf(viewer, id), (account) => remove(account, id)),
      /** Drops the source and keeps the artifacts. */
      discard: (viewer: string, id: string) => Effect.flatMap(accountOf(viewer, id), (account) => discard(account, id))
    }
  })
}) {
  static readonly layer = Layer.effect(SnapshotStore, SnapshotStore.make)
}
