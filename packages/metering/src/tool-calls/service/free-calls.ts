/** Counts calls that cost nothing, and writes the counts every ten seconds and at the end of the process. */
import { realNow } from "@svc/kernel/values/time"
import { DateTime, Effect, Schedule } from "effect"
import { ToolCallRepository } from "../repository.ts"

interface FreeCalls {
  readonly account_id: string
  readonly tool: string
  readonly minute: string
  calls: number
}

/** The function that counts one call. Without an account the call counts among those of all anonymous callers. */
export const makeFreeCallCounter = Effect.gen(function*() {
  const repository = yield* ToolCallRepository
  const counts = new Map<string, FreeCalls>()

  const flush = Effect.suspend(() => {
    const waiting = Array.from(counts.values())
    counts.clear()
    return repository.addFree(waiting)
  }).pipe(Effect.catchCause((cause) => Effect.logError("counts of free calls were not written", cause)))
  yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced("10 seconds")))
  yield* Effect.addFinalizer(() => flush)

  return Effect.fnUntraced(function*(account: string | undefined, tool: string) {
    const minute = DateTime.formatIso(DateTime.startOf(yield* realNow, "minute"))
    const key = `${account ?? ""} ${tool} ${minute}`
    const count = counts.get(key)
    if (count === undefined) counts.set(key, { account_id: account ?? "", tool, minute, calls: 1 })
    else count.calls++
  })
})
