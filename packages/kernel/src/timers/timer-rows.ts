/**
 * The rows of `timers` as workers see them: leased, done, put off, given back. Times are parameters,
 * Unix milliseconds of the worker's clock; the database's own clock decides nothing.
 *
 * Timers of an account with a clock of its own are `held`: workers leave them to it (`clocks/`). One that was set by a commit
 * under way while the account got its clock is not marked yet, so a claim looks at the clocks, too.
 */
import { DateTime, Effect, Exit, Request, RequestResolver } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { leaseSeconds } from "../values/leases.ts"

/** How long a worker owns the timers it took. */
export const LEASE_MILLIS = leaseSeconds(30) * 1000

/** A timer that this process has leased. */
export interface LeasedTimer {
  readonly account_id: string
  readonly kind: string
  readonly resource_id: string
  /** ISO 8601. */
  readonly due_at: string
  /** How often its handler has failed. */
  readonly attempts: number
  readonly lease_token: string
}

class Finish extends Request.Class<LeasedTimer, void, SqlError.SqlError> {}

/** Which timers a worker takes. */
export interface TimerClaim {
  /** The present moment, which decides whether another worker's lease is over. */
  readonly now: number
  /** Timers due up to here. */
  readonly until: number
  readonly kinds: ReadonlyArray<string>
  readonly limit: number
  /** Only this account's. */
  readonly account_id?: string | undefined
}

const timestamp = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** Claims go one after another, in all processes, so that each sees the leases of those before. Held for one statement. */
export const CLAIM_LOCK = 7_716_031_541

type Change = Effect.Effect<void, SqlError.SqlError>

export const timerRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const worker = randomUUID()
  let claims = 0

  /** Of one resource only the earliest timer can be taken, and none while another one is leased. */
  const claim = ({ account_id, kinds, limit, now, until }: TimerClaim) => {
    const at = timestamp(now)
    const own = account_id === undefined ? sql`true` : sql`t.account_id = ${account_id}`
    return sql.withTransaction(Effect.andThen(
      // Without sorting: in the order of the index the claim ends after `limit` rows, while a sort looks at everything that is due, each
      // time.
      sql`SELECT pg_advisory_xact_lock(${CLAIM_LOCK}::bigint), set_config('enable_sort', 'off', true)`,
      // Materialized: a plan that runs the inner query once a row would apply its LIMIT to each, and lease more than it gives out.
      sql<LeasedTimer>`
        WITH due AS MATERIALIZED (
          SELECT t.account_id, t.kind, t.resource_id FROM timers t
          WHERE NOT t.held AND t.due_at <= ${timestamp(until)}::timestamptz AND t.kind = ANY(${kinds}::text[]) AND ${own}
            AND NOT EXISTS (SELECT 1 FROM account_clocks c WHERE c.account_id = t.account_id)
            AND (t.lease_until IS NULL OR t.lease_until <= ${at}::timestamptz)
            AND NOT EXISTS (
              SELECT 1 FROM timers o
              WHERE o.account_id = t.account_id AND o.kind = ANY(${kinds}::text[]) AND o.resource_id = t.resource_id
                AND (o.lease_until > ${at}::timestamptz OR (o.due_at, o.kind) < (t.due_at, t.kind)))
          ORDER BY t.due_at, t.account_id, t.resource_id
          LIMIT ${limit}
          FOR UPDATE OF t SKIP LOCKED
        )
        UPDATE timers SET lease_until = ${timestamp(now + LEASE_MILLIS)}::timestamptz, lease_token = ${`${worker}:${++claims}`}
        FROM due
        WHERE timers.account_id = due.account_id AND timers.kind = due.kind AND timers.resource_id = due.resource_id
        RETURNING timers.account_id, timers.kind, timers.resource_id, timers.due_at, timers.attempts, timers.lease_token`
    )).pipe(Effect.map((rows) => rows.toSorted((a, b) => a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : 0)))
  }

  // A handler's commit that moved or removed the timer took the token with it, and so did whoever got the lease after us.
  const ours = ({ account_id, kind, lease_token, resource_id }: LeasedTimer) =>
    sql`account_id = ${account_id} AND kind = ${kind} AND resource_id = ${resource_id} AND lease_token = ${lease_token}`

  /**
   * Removes a timer whose handler succeeded, if it is still as we leased it. Those that end together, as their commits do, are one
   * statement.
   */
  const finishing = RequestResolver.make<Finish>((entries) => {
    const column = (name: "account_id" | "kind" | "lease_token" | "resource_id") => entries.map(({ request }) => request[name])
    return Effect.andThen(
      sql`DELETE FROM timers t
        USING unnest(${column("account_id")}::text[], ${column("kind")}::text[], ${column("resource_id")}::text[], ${
        column("lease_token")
      }::text[])
          AS ours(account_id, kind, resource_id, lease_token)
        WHERE t.account_id = ours.account_id AND t.kind = ours.kind AND t.resource_id = ours.resource_id
          AND t.lease_token = ours.lease_token`,
      Effect.sync(() => entries.forEach((entry) => entry.completeUnsafe(Exit.void)))
    )
  })
  const finish = (timer: LeasedTimer): Change => Effect.request(new Finish(timer), finishing)

  /** Puts off a timer whose handler failed. */
  const postpone = (timer: LeasedTimer, due: number): Change =>
    Effect.asVoid(sql`
      UPDATE timers SET attempts = attempts + 1, due_at = ${timestamp(due)}::timestamptz, lease_until = NULL, lease_token = NULL
      WHERE ${ours(timer)}`)

  /** Gives a timer back untouched. */
  const release = (timer: LeasedTimer): Change =>
    Effect.asVoid(sql`UPDATE timers SET lease_until = NULL, lease_token = NULL WHERE ${ours(timer)}`)

  /** When the next timer behind `after` is due, or the first of all, Unix milliseconds; leased by somebody or not. */
  const nextDue = (after: number | undefined, kinds: ReadonlyArray<string>): Effect.Effect<number | undefined, SqlError.SqlError> =>
    Effect.map(
      sql<{ readonly due_at: string }>`
        SELECT due_at FROM timers WHERE NOT held AND ${
        after === undefined ? sql`true` : sql`due_at > ${timestamp(after)}::timestamptz`
      } AND kind = ANY(${kinds}::text[])
        ORDER BY due_at LIMIT 1`,
      ([row]) => row === undefined ? undefined : Date.parse(row.due_at)
    )

  /** Whether anything is due up to `until`, leased by somebody or not. */
  const anyDue = (until: number, kinds: ReadonlyArray<string>, account_id?: string): Effect.Effect<boolean, SqlError.SqlError> =>
    Effect.map(
      sql`SELECT 1 FROM timers WHERE NOT held AND due_at <= ${timestamp(until)}::timestamptz AND kind = ANY(${kinds}::text[])
        AND ${account_id === undefined ? sql`true` : sql`account_id = ${account_id}`} LIMIT 1`,
      (rows) => rows.length > 0
    )

  return { claim, finish, postpone, release, nextDue, anyDue }
})
