/** Moves the clock of an account to where it was sent, through everything that falls due on the way. */
import { Clock, Data, Duration, Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { leaseSeconds } from "../leases.ts"
import { Agendas } from "./agenda.ts"
import { type AccountClock, clockRows, type Held } from "./rows.ts"
import { timerAgenda } from "./timers.ts"

/** How long a process that moves a clock is the only one that may, from each time it says that it still lives. */
export const LEASE_MILLIS = leaseSeconds(30) * 1000
const RENEW = Duration.millis(LEASE_MILLIS / 3)
/** When to look again at what somebody else has in hand. */
const LOOK_AGAIN = "25 millis"

/** Somebody else moves the clock now. */
export class ClockLost extends Data.TaggedError("ClockLost")<{ readonly account_id: string }> {}

const earliest = (moments: ReadonlyArray<number | undefined>): number | undefined =>
  moments.reduce((one, other) => one === undefined || (other !== undefined && other < one) ? other : one, undefined)

export const driver = Effect.gen(function*() {
  const rows = yield* clockRows
  const agendas = yield* Agendas
  const timers = yield* timerAgenda
  const process = randomUUID()
  let drives = 0

  /** Renews the lease as long as it is ours, and fails when it is not. A database that is away is tried again until the lease is over. */
  const keep = (held: Held) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* rows.renew(held, now + LEASE_MILLIS))) return yield* new ClockLost({ account_id: held.account_id })
    }).pipe(
      Effect.retry({
        schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: RENEW })),
        while: (error) => error._tag === "SqlError"
      }),
      Effect.delay(RENEW),
      Effect.forever
    )

  /**
   * One moment after another: the first that anything is due at, and everything that is due then, what that sets for the same moment
   * included. Things of one moment run beside each other, and nothing of a later one before they have ended.
   */
  const walk = Effect.fnUntraced(function*(held: Held, clock: AccountClock, stopping: () => boolean): Effect.fn.Return<void, ClockLost | SqlError.SqlError> {
    const all = [timers, ...agendas.all()]
    let present = Date.parse(clock.present)
    let goal = Date.parse(clock.advance_to ?? clock.present)
    while (!stopping()) {
      const dues = yield* Effect.forEach(all, (agenda) => agenda.next(held.account_id, goal), { concurrency: "unbounded" })
      const due = earliest(dues)
      if (due === undefined) {
        if (yield* rows.arrive(held, goal)) return
        // It was sent further meanwhile, or it is not ours any more.
        const further = yield* rows.goalOf(held)
        if (further === undefined) return yield* new ClockLost({ account_id: held.account_id })
        goal = further
        continue
      }
      if (due > present) {
        if (!(yield* rows.move(held, due))) return yield* new ClockLost({ account_id: held.account_id })
        present = due
      }
      const ran = yield* Effect.forEach(
        all.filter((_, n) => (dues[n] ?? Infinity) <= present),
        (agenda) => agenda.run(held, present),
        { concurrency: "unbounded" }
      )
      if (!ran.includes(true)) yield* Effect.sleep(LOOK_AGAIN)
    }
  })

  return {
    /** When a timer of an account that stands still is due at its present, or overdue. Whoever else is due then, is somebody's already. */
    overdue: (clock: AccountClock) => timers.next(clock.account_id, Date.parse(clock.present)),

    /**
     * Takes the clock and moves it. False when somebody else has it. When this is stopped or fails half way the clock is let go of, still
     * on its way, for the next who looks.
     */
    drive: Effect.fn("AccountClock.drive")(function*(
      account_id: string,
      stopping: () => boolean = () => false
    ): Effect.fn.Return<boolean, ClockLost | SqlError.SqlError> {
      const held: Held = { account_id, token: `${process}:${++drives}` }
      const now = yield* Clock.currentTimeMillis
      const clock = yield* rows.take(held, now, now + LEASE_MILLIS)
      if (clock === undefined) return false
      yield* Effect.raceFirst(walk(held, clock, stopping), keep(held)).pipe(Effect.ensuring(Effect.ignore(rows.release(held))))
      return true
    })
  }
})
