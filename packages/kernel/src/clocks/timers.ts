/**
 * The timers of an account with a clock of its own, as they fall due when it moves. The clock's lease makes this process the only
 * one that runs them, so they need no leases: whether one is as it was when it was read, its `xmin` tells.
 */
import { Cause, Clock, DateTime, Duration, Effect, Exit, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isUnreachable } from "../database/unreachable.ts"
import { Scheduled } from "../road/committer.ts"
import { LEASE_MILLIS } from "../timers/timer-rows.ts"
import { TimerHandlers } from "../timers/timers.ts"
import { iso, standingAt } from "../values/time.ts"
import type { Agenda } from "./agenda.ts"
import type { ClockLease } from "./rows.ts"

/**
 * Handlers at one time, and timers that are read at once: of a moment that has more of them the rest follows. As many commits share a
 * statement.
 */
const AT_ONCE = 16
/** A handler that fails is tried again at once: most often it lost a race against a request. */
const again = Schedule.spaced("50 millis").pipe(Schedule.upTo({ times: 2 }))
const DAY_SECONDS = 24 * 3600

interface DueTimer {
  readonly account_id: string
  readonly kind: string
  readonly resource_id: string
  /** ISO 8601. */
  readonly due_at: string
  /** How often its handler has failed. */
  readonly attempts: number
  /** The transaction that wrote it last. */
  readonly seen: string
  /** Whether a worker has it in hand, since before the account got its clock. */
  readonly taken: boolean
}

/** Of timers in their order those of the first moment: one a resource, and none of a resource that has one in hand. */
const together = (timers: ReadonlyArray<DueTimer>): ReadonlyArray<DueTimer> => {
  const resources = new Set(timers.filter((timer) => timer.taken).map(({ resource_id }) => resource_id))
  return timers.filter(({ due_at, resource_id }) => {
    if (due_at !== timers[0]?.due_at || resources.has(resource_id)) return false
    resources.add(resource_id)
    return true
  })
}

/**
 * How long the account's clock goes on before a timer that failed this often is tried again: a second, two, four, up to a day. The
 * clock runs through a year in seconds, and must not stop at each ten minutes of it for one that never succeeds.
 */
export const waitAfter = (failures: number): number => Math.min(2 ** (failures - 1), DAY_SECONDS) * 1000

const timestamp = (millis: number): string => iso(DateTime.makeUnsafe(millis))

export const timerRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const asSeen = ({ account_id, kind, resource_id, seen }: DueTimer) =>
    sql`account_id = ${account_id} AND kind = ${kind} AND resource_id = ${resource_id} AND xmin::text = ${seen}`

  return {
    /** Whether any is due up to `until`. */
    anyDue: (account_id: string, kinds: ReadonlyArray<string>, until: number) =>
      Effect.map(
        sql`SELECT 1 FROM timers
          WHERE held AND account_id = ${account_id} AND kind = ANY(${kinds}::text[]) AND due_at <= ${
          timestamp(until)
        }::timestamptz LIMIT 1`,
        (rows) => rows.length > 0
      ),

    /** The next ones, in the order of time, and of their kinds within a moment. */
    first: ({ account_id, token }: ClockLease, kinds: ReadonlyArray<string>, until: number, now: number) =>
      sql<DueTimer>`
        SELECT t.account_id, t.kind, t.resource_id, t.due_at, t.attempts, t.xmin::text AS seen,
          coalesce(t.lease_until > ${timestamp(now)}::timestamptz, false) AS taken
        FROM timers t
        WHERE t.held AND t.account_id = ${account_id} AND t.kind = ANY(${kinds}::text[]) AND t.due_at <= ${timestamp(until)}::timestamptz
          AND EXISTS (SELECT 1 FROM account_clocks c WHERE c.account_id = ${account_id} AND c.lease_token = ${token})
        ORDER BY t.due_at, t.kind, t.resource_id LIMIT ${AT_ONCE}`,

    /** Removes a timer, if it is as it was seen. */
    finish: (timer: DueTimer) => Effect.asVoid(sql`DELETE FROM timers WHERE ${asSeen(timer)}`),

    /** Puts off a timer whose handler failed, if it is as it was seen. */
    postpone: (timer: DueTimer, due: number) =>
      Effect.asVoid(sql`UPDATE timers SET attempts = attempts + 1, due_at = ${timestamp(due)}::timestamptz WHERE ${asSeen(timer)}`)
  }
})

export const timerAgenda = Effect.gen(function*() {
  const rows = yield* timerRows
  const handlers = yield* TimerHandlers
  const kinds = Array.from(handlers.keys())

  const postpone = Effect.fnUntraced(function*(timer: DueTimer, present: number, cause: Cause.Cause<unknown>) {
    const failures = timer.attempts + 1
    const wait = waitAfter(failures)
    yield* Effect.logError(
      `timer failed ${failures} times, next try when the account's clock has gone on by ${Duration.format(Duration.millis(wait))}`,
      cause
    ).pipe(
      Effect.annotateLogs({ kind: timer.kind, account_id: timer.account_id, resource_id: timer.resource_id })
    )
    yield* rows.postpone(timer, present + wait)
  })

  const fire = Effect.fnUntraced(function*(timer: DueTimer, present: number) {
    const handler = Effect.suspend(() =>
      handlers.get(timer.kind)?.(timer.account_id, timer.resource_id) ?? Effect.die(`no handler for ${timer.kind}`)
    ).pipe(Effect.provideService(Scheduled, true))
    const exit = yield* handler.pipe(
      Effect.retry(again),
      Effect.timeout(Duration.millis(LEASE_MILLIS)),
      standingAt(present),
      Effect.exit
    )
    if (Exit.isSuccess(exit)) return true
    const error = Cause.squash(exit.cause)
    // The timer is not at fault, and the clock must not run on without it.
    if (isUnreachable(error)) return yield* Effect.die(error)
    yield* postpone(timer, present, exit.cause)
    return false
  })

  /** Makes an agenda for a move of a clock. */
  const make = Effect.sync((): Agenda => {
    // Handlers that succeeded. The commit of nearly all of them moves or removes the timer, so one is removed only when it turns up again.
    const succeeded = new Set<string>()
    const nameOf = ({ kind, resource_id, seen }: DueTimer) => `${kind} ${resource_id} ${seen}`

    const keep = (timers: ReadonlyArray<DueTimer>) =>
      Effect.fnUntraced(function*(present: number) {
        succeeded.clear()
        yield* Effect.forEach(
          timers,
          Effect.fnUntraced(function*(timer) {
            if (yield* fire(timer, present)) succeeded.add(nameOf(timer))
          }),
          { concurrency: AT_ONCE, discard: true }
        )
        return timers.length
      })

    return {
      next: Effect.fnUntraced(function*(held: ClockLease, until: number) {
        while (true) {
          const timers = yield* rows.first(held, kinds, until, yield* Clock.currentTimeMillis)
          const [timer] = timers
          if (timer === undefined) return undefined
          const left = timers.filter((timer) => succeeded.has(nameOf(timer)))
          if (left.length === 0) return { due: Date.parse(timer.due_at), keep: keep(together(timers)) }
          yield* Effect.forEach(left, rows.finish, { concurrency: AT_ONCE, discard: true })
        }
      })
    }
  })

  return { make, anyDue: (account_id: string, until: number) => rows.anyDue(account_id, kinds, until) }
})
