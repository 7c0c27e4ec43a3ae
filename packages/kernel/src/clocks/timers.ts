/**
 * The timers of an account with a clock of its own, as they fall due when it moves. The clock's lease makes this process the only
 * one that runs them, so they need no leases: whether one is as it was when it was read, its `xmin` tells.
 */
import { Cause, Clock, DateTime, Duration, Effect, Exit, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isUnreachable } from "../database/unreachable.ts"
import { iso, standingAt } from "../time.ts"
import { LEASE_MILLIS } from "../timer-rows.ts"
import { TimerHandlers } from "../timers.ts"
import type { Agenda } from "./agenda.ts"
import type { Held } from "./rows.ts"

/** Timers that are read at once. */
const BATCH = 500
/** Handlers at one time. */
const CONCURRENCY = 8
/** A handler that fails is tried again at once: most often it lost a race against a request. */
const again = Schedule.spaced("50 millis").pipe(Schedule.upTo({ times: 2 }))
const DAY_SECONDS = 24 * 3600

interface DueTimer {
  readonly account_id: string
  readonly kind: string
  readonly resource_id: string
  /** How often its handler has failed. */
  readonly attempts: number
  readonly seen: string
}

/**
 * How long the account's clock goes on before a timer that failed this often is tried again: a second, two, four, up to a day. The
 * clock runs through a year in seconds, and must not stop at each ten minutes of it for one that never succeeds.
 */
export const waitAfter = (failures: number): number => Math.min(2 ** (failures - 1), DAY_SECONDS) * 1000

const timestamp = (millis: number): string => iso(DateTime.makeUnsafe(millis))

export const timerAgenda = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const handlers = yield* TimerHandlers
  const kinds = Array.from(handlers.keys())

  const next = (account_id: string, until: number) =>
    Effect.map(
      sql<{ readonly due_at: string }>`
        SELECT due_at FROM timers
        WHERE held AND account_id = ${account_id} AND kind = ANY(${kinds}::text[]) AND due_at <= ${timestamp(until)}::timestamptz
        ORDER BY due_at LIMIT 1`,
      ([row]) => row === undefined ? undefined : Date.parse(row.due_at)
    )

  /** Those that are due first, one a resource. None of a resource that a worker had in hand when the account got its clock. */
  const first = Effect.fnUntraced(function*({ account_id, token }: Held, present: number) {
    const now = timestamp(yield* Clock.currentTimeMillis)
    return yield* sql<DueTimer>`
      WITH first AS MATERIALIZED (
        SELECT t.due_at FROM timers t JOIN account_clocks c ON c.account_id = t.account_id AND c.lease_token = ${token}
        WHERE t.held AND t.account_id = ${account_id} AND t.kind = ANY(${kinds}::text[]) AND t.due_at <= ${timestamp(present)}::timestamptz
        ORDER BY t.due_at LIMIT 1)
      SELECT DISTINCT ON (t.resource_id) t.account_id, t.kind, t.resource_id, t.attempts, t.xmin::text AS seen
      FROM first JOIN timers t ON t.due_at = first.due_at
      WHERE t.held AND t.account_id = ${account_id} AND t.kind = ANY(${kinds}::text[])
        AND NOT EXISTS (
          SELECT 1 FROM timers o
          WHERE o.account_id = t.account_id AND o.kind = ANY(${kinds}::text[]) AND o.resource_id = t.resource_id
            AND o.lease_until > ${now}::timestamptz)
      ORDER BY t.resource_id, t.kind
      LIMIT ${BATCH}`
  })

  const asSeen = ({ account_id, kind, resource_id, seen }: DueTimer) =>
    sql`account_id = ${account_id} AND kind = ${kind} AND resource_id = ${resource_id} AND xmin::text = ${seen}`

  const postpone = Effect.fnUntraced(function*(timer: DueTimer, present: number, cause: Cause.Cause<unknown>) {
    const failures = timer.attempts + 1
    const wait = waitAfter(failures)
    yield* Effect.logError(`timer failed ${failures} times, next try when the account's clock has gone on by ${Duration.format(Duration.millis(wait))}`, cause).pipe(
      Effect.annotateLogs({ kind: timer.kind, account_id: timer.account_id, resource_id: timer.resource_id })
    )
    yield* sql`UPDATE timers SET attempts = ${failures}, due_at = ${timestamp(present + wait)}::timestamptz WHERE ${asSeen(timer)}`
  })

  const fire = Effect.fnUntraced(function*(timer: DueTimer, present: number) {
    const handler = Effect.suspend(() => handlers.get(timer.kind)?.(timer.account_id, timer.resource_id) ?? Effect.die(`no handler for ${timer.kind}`))
    const exit = yield* handler.pipe(
      Effect.retry(again),
      Effect.timeout(Duration.millis(LEASE_MILLIS)),
      standingAt(present),
      Effect.exit
    )
    if (Exit.isSuccess(exit)) return yield* Effect.asVoid(sql`DELETE FROM timers WHERE ${asSeen(timer)}`)
    const error = Cause.squash(exit.cause)
    // It is not the timer's fault, and the clock must not run on without it.
    if (isUnreachable(error)) return yield* Effect.die(error)
    yield* postpone(timer, present, exit.cause)
  })

  return {
    next,
    run: Effect.fnUntraced(function*(held: Held, present: number) {
      const timers = yield* first(held, present)
      yield* Effect.forEach(timers, (timer) => fire(timer, present), { concurrency: CONCURRENCY, discard: true })
      return timers.length > 0
    })
  } satisfies Agenda
})
