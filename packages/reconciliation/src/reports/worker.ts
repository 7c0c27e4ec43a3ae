/** Takes up the reports whose processes died, for as long as its layer lives. */
import { Cause, Effect, Layer, Schedule } from "effect"
import { Reports } from "./service/reports.ts"

/** How soon after the lease of the process that died. */
const LOOK = Schedule.spaced("5 seconds").pipe(Schedule.jittered)

export const ReportWorker = Layer.effectDiscard(Effect.gen(function*() {
  const { catchUp } = yield* Reports
  yield* catchUp.pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning("reconciliation: reports could not be taken up; trying again in a moment", cause)
    ),
    Effect.repeat(LOOK),
    Effect.forkScoped
  )
}))
