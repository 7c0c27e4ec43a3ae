/** Waits for what comes about beside a test: in another fiber, another process, or behind a connection. */
import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"

/** Milliseconds between two looks. */
const PAUSE = 10
/** At least 30 seconds; more where each look takes long. */
const LOOKS = 3_000

/** Looks until it is so, by the world's time, whatever clock the test has. Dies, saying what did not come about. */
export const until = <E, R>(what: string, isSo: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function*() {
    for (let left = LOOKS; left > 0; left--) {
      if (yield* isSo) return
      yield* Effect.promise(() => setTimeout(PAUSE))
    }
    return yield* Effect.die(new Error(`${what}: this did not come about within ${(LOOKS * PAUSE) / 1_000} seconds`))
  })
