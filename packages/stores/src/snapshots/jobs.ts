/** Ends snapshots that nobody finishes, and takes away those that have expired, for as long as its layer lives. */
import { Cause, Effect, Layer, Schedule } from "effect"
import { SnapshotStore } from "./service/snapshot-store.ts"

const LOOK = Schedule.spaced("5 seconds").pipe(Schedule.jittered)

export const SnapshotWorker = Layer.effectDiscard(Effect.gen(function*() {
  const { sweep } = yield* SnapshotStore
  yield* sweep().pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning("snapshots: those that are overdue could not be looked at; trying again in a moment", cause)
    ),
    Effect.repeat(LOOK),
    Effect.forkScoped
  )
}))
