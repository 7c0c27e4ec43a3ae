/** Moves the clock of an account to where it was sent, through everything that falls due on the way. */
import { Clock, Data, Duration, Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { leaseSeconds } from "../values/leases.ts"
import { Reference } from "../values/reference.ts"
import { type Agenda, Agendas, type Appointment } from "./agenda.ts"
import { type AccountClock, type ClockLease, clockRows } from "./rows.ts"
import { timerAgenda } from "./timers.ts"

/** How long a process that moves a clock is the only one that may, from each time it says that it still lives. */
export const LEASE_MILLIS = leaseSeconds(30) * 1000
const RENEW = Duration.millis(LEASE_MILLIS / 3)
/** When to look again at what somebody else has in hand. */
const LOOK_AGAIN = "25 millis"

/** How many things one advance does at most: timers that fire and webhooks that are sent. At sixty a second that is some six minutes. */
export class AdvanceLimit extends Reference<number>("@svc/kernel/AdvanceLimit", { defaultValue: () => 20_000 }) {}

/** Another worker moves the clock now. */
export class ClockLost extends Data.TaggedError("ClockLost")<{ readonly account_id: string }> {}

/** Whether `arrive` has asked the database to end the clock's move, and the database has not answered yet. */
interface Arrival {
  underWay: boolean
}

export const driver = Effect.gen(function*() {
  const rows = yield* clockRows
  const agendas = yield* Agendas
  const timers = yield* timerAgenda
  const limit = yield* AdvanceLimit
  const process = randomUUID()
  let drives = 0

  /**
   * Renews the lease as long as it is ours, and fails when it is not. A database that is away is tried again until the lease is over.
   * An arrival gives the lease back. A renewal that finds no lease while an arrival is under way therefore proves no loss: the answer to
   * the arrival says who holds the clock.
   */
  const keep = (held: ClockLease, arrival: Arrival) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const renewed = yield* rows.renew(held, now + LEASE_MILLIS)
      if (!renewed && !arrival.underWay) return yield* new ClockLost({ account_id: held.account_id })
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
   * included. Things of one moment run beside each other, and nothing of a later one before they have ended. An advance that is cancelled,
   * or that has done as much as one may, ends at the moment that it has reached.
   */
  const walk = Effect.fnUntraced(
    function*(
      held: ClockLease,
      clock: AccountClock,
      arrival: Arrival,
      stopping: () => boolean
    ): Effect.fn.Return<void, ClockLost | SqlError.SqlError> {
      const all: ReadonlyArray<Agenda> = [yield* timers.make, ...agendas.all()]
      let present = Date.parse(clock.present)
      let goal = Date.parse(clock.advance_to ?? clock.present)
      let before = clock.done
      let done = 0
      const newGoal = Effect.flatMap(
        rows.goalOf(held),
        (known) => known === undefined ? Effect.fail(new ClockLost({ account_id: held.account_id })) : Effect.succeed(known)
      )
      while (true) {
        const next = yield* Effect.forEach(all, (agenda) => agenda.next(held, goal), { concurrency: "unbounded" })
        if (stopping()) {
          // The next worker counts from here.
          yield* rows.move(held, present, done)
          return
        }
        const appointments = next.filter((one): one is Appointment => one !== undefined)
        if (appointments.length === 0) {
          arrival.underWay = true
          if (yield* rows.arrive(held, goal)) return
          arrival.underWay = false
          // A request sent the clock further meanwhile, or another worker holds the lease.
          goal = yield* newGoal
          continue
        }
        const due = Math.min(...appointments.map((one) => one.due))
        if (due > present) {
          if (before + done >= limit) yield* rows.stop(held.account_id, "limit")
          if (!(yield* rows.move(held, due, done))) {
            // A request stopped the clock here, or another worker holds the lease.
            goal = yield* newGoal
            continue
          }
          present = due
          before += done
          done = 0
        }
        const dueAppointments = appointments.filter((one) => one.due <= present)
        const ran = yield* Effect.forEach(dueAppointments, ({ keep }) => keep(present), { concurrency: "unbounded" })
        const count = ran.reduce((sum, one) => sum + one, 0)
        done += count
        if (count === 0) yield* Effect.sleep(LOOK_AGAIN)
      }
    }
  )

  return {
    /** Whether a timer is due where the clock stands. Webhooks that are due there are sent by their workers. */
    overdue: (clock: AccountClock) => timers.anyDue(clock.account_id, Date.parse(clock.present)),

    /**
     * Takes the clock and moves it. False when somebody else has it. When this is stopped or fails half way the clock is let go of, still
     * on its way, for the next who looks.
     */
    drive: Effect.fn("AccountClock.drive")(function*(
      account_id: string,
      stopping: () => boolean = () => false
    ): Effect.fn.Return<boolean, ClockLost | SqlError.SqlError> {
      const held: ClockLease = { account_id, token: `${process}:${++drives}` }
      const now = yield* Clock.currentTimeMillis
      const clock = yield* rows.take(held, now, now + LEASE_MILLIS)
      if (clock === undefined) return false
      const arrival: Arrival = { underWay: false }
      yield* Effect.raceFirst(walk(held, clock, arrival, stopping), keep(held, arrival)).pipe(
        Effect.ensuring(Effect.ignore(rows.release(held)))
      )
      return true
    })
  }
})
