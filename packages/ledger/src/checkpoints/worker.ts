/**
 * Takes the checkpoints of the day for as long as its layer lives. Of several processes one writes them; the work of the others is in vain.
 */
import { Cause, Effect, Layer, Schedule } from "effect"
import { Checkpoints } from "./service.ts"

/** How soon after midnight, or after the first money of a day. */
const LOOK = Schedule.spaced("1 minute").pipe(Schedule.jittered)

export const CheckpointWorker = Layer.effectDiscard(Effect.gen(function*() {
  const { daily } = yield* Checkpoints
  yield* daily.pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning("checkpoints: could not be taken; trying again in a minute", cause)
    ),
    Effect.repeat(LOOK),
    Effect.forkScoped
  )
}))
