/** What snapshots bring to the service. */
import { LastSignOut } from "@svc/accounts/sessions/service"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { Effect, Layer, Schedule } from "effect"
import { SnapshotWorker } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { FactRepository } from "./repository/facts.ts"
import { SnapshotQuotas } from "./repository/quotas.ts"
import { SnapshotRepository } from "./repository/rows.ts"
import { SnapshotTexts } from "./repository/texts.ts"
import { SnapshotStore } from "./service/snapshot-store.ts"

const repositories = Layer.mergeAll(SnapshotRepository.layer, SnapshotTexts.layer, SnapshotQuotas.layer, FactRepository.layer)

/** With the last person of an account who signs out, the source of its snapshots goes. */
const signedOut = contribute(
  LastSignOut,
  Effect.map(SnapshotStore, ({ discardAll }) => [
    (account: string) =>
      discardAll(account).pipe(
        Effect.retry({ schedule: Schedule.spaced("1 second"), times: 5 }),
        Effect.catch(({ message }) => Effect.logError(`${account}: the source of its snapshots was not discarded: ${message}`))
      )
  ])
)

export const snapshots = {
  ...nothing,
  services: signedOut.pipe(Layer.provideMerge(SnapshotStore.layer), Layer.provide(repositories)),
  workers: SnapshotWorker,
  migrations
}
