/** Snapshots, in the store that every installation has. */
import { ANONYMOUS } from "@svc/stores/snapshots/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import type { Call } from "@svc/tool-kit/call"
import { Snapshots } from "@svc/tool-kit/services/snapshots"
import { Effect, Layer } from "effect"
import { storeBusy } from "./store-busy.ts"

const viewerOf = ({ account }: Call): string => account?.id ?? ANONYMOUS

const make = Effect.map(SnapshotStore, (store) =>
  Snapshots.of({
    get: Effect.succeed({
      get: (id, call) => store.get(viewerOf(call), id),
      remove: (id, call) => Effect.catchTag(store.remove(viewerOf(call), id), "StoreBusy", (error) => Effect.fail(storeBusy(error))),
      artifact: ({ snapshot_id, ...place }, call) => store.artifact(viewerOf(call), snapshot_id, place)
    })
  }))

export const layer = Layer.effect(Snapshots, make)
