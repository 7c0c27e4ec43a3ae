/** Whatever concerns an account runs in the account's own time: here that time is found out. */
import { type DateTime, Effect } from "effect"
import { makeWakeUp, type WakeUp } from "../timers/timers.ts"
import { Reference } from "../values/reference.ts"
import { now, Present, standingAt } from "../values/time.ts"
import { clockRows } from "./rows.ts"

/**
 * Tells this process of an account in whose clock something may have changed: it was sent on its way, it arrived, or something is due at
 * once.
 */
export class ClockWake extends Reference<WakeUp<string>>("@svc/kernel/ClockWake", { defaultValue: () => makeWakeUp<string>() }) {}

export const accountTime = Effect.gen(function*() {
  const rows = yield* clockRows
  const wakeUp = yield* ClockWake

  const presentOf = (account_id: string): Effect.Effect<number | undefined> =>
    Effect.orDie(Effect.map(rows.find(account_id), (clock) => clock === undefined ? undefined : Date.parse(clock.present)))

  return {
    /** Runs this in the account's time, which stands still meanwhile. What it sets for that very moment is then run. */
    inTimeOf: (account_id: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.flatMap(presentOf(account_id), (present) =>
        present === undefined
          ? effect
          : Effect.ensuring(standingAt(present)(effect), Effect.sync(() => wakeUp.wake(account_id)))),

    /** The present moment of the account, for those who act on it from outside: the operator, a page without a key. */
    timeOf: (account_id: string): Effect.Effect<DateTime.Utc> =>
      Effect.flatMap(
        Present,
        (known) => known === undefined ? Effect.flatMap(presentOf(account_id), (present) => standingAt(present)(now)) : now
      )
  }
})
