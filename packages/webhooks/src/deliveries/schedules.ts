/**
 * When a failed delivery is attempted again; `rules.ts` says whether. The policies are Effect schedules; a row's due time is
 * what stepping its schedule says, so that the database and an in-process retry cannot disagree.
 */
import { Duration, Effect, Option, Schedule } from "effect"
import * as Pull from "effect/Pull"
import type { ScheduleName } from "../endpoints/model.ts"

/** Waits of growing length, from https://www.standardwebhooks.com. */
const LONG = ["5 seconds", "5 minutes", "30 minutes", "2 hours", "5 hours", "10 hours", "14 hours", "20 hours", "24 hours"] as const

/** What happens after the first attempt: three more, 30 s after the start of each; or nine, ever further apart. */
export const schedules: Readonly<Record<ScheduleName, Schedule.Schedule<unknown>>> = {
  standard: Schedule.spaced("30 seconds").pipe(Schedule.upTo({ times: 3 })),
  long: LONG.slice(1).reduce<Schedule.Schedule<unknown>>(
    (schedule, wait) => Schedule.concat(schedule, Schedule.duration(wait)),
    Schedule.duration(LONG[0])
  )
}

/** Every wait of a schedule that ends, in order. Each step is taken at the moment the last wait is over. */
const waitsOf = (schedule: Schedule.Schedule<unknown>): Effect.Effect<ReadonlyArray<Duration.Duration>> =>
  Effect.gen(function*() {
    const step = yield* Schedule.toStep(schedule)
    const waits: Array<Duration.Duration> = []
    for (let now = 0;;) {
      const wait = yield* step(now, undefined).pipe(
        Effect.map(([, duration]) => Option.some(duration)),
        Pull.catchDone(() => Effect.succeed(Option.none<Duration.Duration>()))
      )
      if (Option.isNone(wait)) return waits
      waits.push(wait.value)
      now += Duration.toMillis(wait.value)
    }
  })

const waits: Readonly<Record<ScheduleName, ReadonlyArray<Duration.Duration>>> = {
  standard: Effect.runSync(waitsOf(schedules.standard)),
  long: Effect.runSync(waitsOf(schedules.long))
}

/** How long to wait after the attempt with this number, counted from 1, began, and has failed. None when it was the last. */
export const nextAttempt = (schedule: ScheduleName, attempts: number): Option.Option<Duration.Duration> =>
  Option.fromNullishOr(waits[schedule][attempts - 1])

/** All the waiting that is left after the attempt with this number: the longest a `Retry-After` may ask for. */
export const remaining = (schedule: ScheduleName, attempts: number): Duration.Duration =>
  waits[schedule].slice(attempts - 1).reduce(Duration.sum, Duration.zero)
