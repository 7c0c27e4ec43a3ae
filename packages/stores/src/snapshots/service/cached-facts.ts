/** Facts of files, kept by what the files hold, so that an account's next analysis reads only what has changed. */
import { realNow } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { Turns } from "../../turns.ts"
import { ANONYMOUS, type CachedFacts } from "../model.ts"
import { FactRepository } from "../repository/facts.ts"
import { SnapshotQuotas } from "../repository/quotas.ts"
import { SnapshotRepository } from "../repository/rows.ts"
import { makeRoom } from "./room.ts"

export const makeCachedFacts = Effect.gen(function*() {
  const snapshots = yield* SnapshotRepository
  const quotas = yield* SnapshotQuotas
  const facts = yield* FactRepository
  const turns = yield* Turns
  const { fitFacts } = yield* makeRoom

  const keep = Effect.fnUntraced(function*(account: string, id: string, entries: ReadonlyArray<CachedFacts>) {
    const row = yield* snapshots.find(account, id)
    if (row === undefined || row.content_discarded_at !== null) return
    yield* quotas.addUsage(account, { fact_bytes: yield* facts.add(account, entries, yield* realNow) })
    yield* fitFacts(account)
  })

  const find = Effect.fnUntraced(function*(account: string, keys: ReadonlyArray<string>) {
    const found = yield* facts.find(account, keys)
    yield* facts.touch(account, keys, yield* realNow)
    return new Map(found.map(({ deflated, key }) => [key, deflated]))
  })

  return {
    /** Keeps facts of a snapshot's files, unless it is gone or its source was discarded. Of nobody none are kept. */
    keepFacts: Effect.fn("SnapshotStore.keepFacts")((account: string, id: string, entries: ReadonlyArray<CachedFacts>) =>
      account === ANONYMOUS ? Effect.void : turns.write("snapshots", account, keep(account, id, entries))
    ),
    /** Facts by key, as far as they are kept. */
    cachedFacts: Effect.fn("SnapshotStore.cachedFacts")((account: string, keys: ReadonlyArray<string>) =>
      turns.write("snapshots", account, find(account, keys))
    )
  }
})
