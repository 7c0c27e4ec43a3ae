/** Looks for what needs a person and mails it, for as long as its layer lives. Any number of processes may. */
import { AttentionNotices } from "@svc/accounts/attention-notices/service"
import { Cause, Effect, Layer, Ref, Schedule } from "effect"
import { AttentionMails } from "./service.ts"

const LOOK = Schedule.spaced("15 seconds").pipe(Schedule.jittered)

export const AttentionWorker = Layer.effectDiscard(Effect.gen(function*() {
  const { round } = yield* AttentionNotices
  const { sendDue } = yield* AttentionMails
  const reached = yield* Ref.make("")
  const look = Effect.gen(function*() {
    yield* Ref.set(reached, (yield* round(yield* Ref.get(reached))) ?? "")
    yield* sendDue
  })
  yield* look.pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logWarning("attention: could not look for what needs a person; trying again in a moment", cause)
    ),
    Effect.repeat(LOOK),
    Effect.forkScoped
  )
}))
