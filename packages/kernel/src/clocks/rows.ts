/**
 * The rows of `account_clocks`. An account without one lives by the time of the world. Moments of the account and leases, which
 * are of the world, are parameters, Unix milliseconds; the database's own clock decides nothing.
 */
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"

/** A clock as stored. Times are ISO 8601. */
export interface AccountClock {
  readonly account_id: string
  readonly id: string
  /** Where the account stands. */
  readonly present: string
  /** Where it is on the way to; null while it stands still. */
  readonly advance_to: string | null
  readonly created_at: string
  /** How many things the advance that is under way, or the last one, has done so far. */
  readonly done: number
  /** Why the last advance ended before it had arrived, and where it was on the way to; null when it arrived, or is under way. */
  readonly stopped: AdvanceStop | null
}

/** `cancelled`: somebody asked for it. `limit`: it had done as much as one advance may. */
export interface AdvanceStop {
  readonly reason: "cancelled" | "limit"
  /** ISO 8601. */
  readonly to: string
}

/** The right to move a clock, until its lease is over. */
export interface ClockLease {
  readonly account_id: string
  readonly token: string
}

const timestamp = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

type Asked<A> = Effect.Effect<A, SqlError.SqlError>

export const clockRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const columns = sql`account_id, id, present, advance_to, created_at, done, stopped`
  const heldBy = ({ account_id, token }: ClockLease) => sql`account_id = ${account_id} AND lease_token = ${token}`
  /** What a crash of the database takes back of these is done again, and what follows is never durable before they are. */
  const unhurried = sql`(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL`
  const any = (rows: ReadonlyArray<unknown>) => rows.length > 0

  const find = (account_id: string): Asked<AccountClock | undefined> =>
    Effect.map(sql<AccountClock>`SELECT ${columns} FROM account_clocks WHERE account_id = ${account_id}`, ([row]) => row)

  /** Gives an account its clock and leaves its timers to it. False when it has one. Call it within a transaction. */
  const give = (clock: Pick<AccountClock, "account_id" | "id" | "present">): Asked<boolean> =>
    Effect.gen(function*() {
      const insertedRows = yield* sql`
        INSERT INTO account_clocks (account_id, id, present, created_at, commits_before)
        VALUES (${clock.account_id}, ${clock.id}, ${clock.present}::timestamptz, ${clock.present}::timestamptz,
          coalesce((SELECT commit_seq FROM account_heads WHERE account_id = ${clock.account_id}), 0))
        ON CONFLICT (account_id) DO NOTHING RETURNING account_id`
      if (insertedRows.length > 0) yield* hold(clock.account_id)
      return insertedRows.length > 0
    })

  const hold = (account_id: string) => sql`UPDATE timers SET held = true WHERE account_id = ${account_id} AND NOT held`

  /** Sends a clock that stands still on its way. Nothing when it is under way, or stands later than that. */
  const setOut = (account_id: string, to: number): Asked<AccountClock | undefined> =>
    Effect.map(
      sql<AccountClock>`
        UPDATE account_clocks SET advance_to = ${timestamp(to)}::timestamptz, done = 0, stopped = NULL
        WHERE account_id = ${account_id} AND advance_to IS NULL AND present <= ${timestamp(to)}::timestamptz
        RETURNING ${columns}`,
      ([row]) => row
    )

  /**
   * Ends an advance that is under way: the clock is now on its way to where it stands, and arrives when what is due there has been done.
   * False when it is not under way, or arrives already.
   */
  const stop = (account_id: string, reason: AdvanceStop["reason"]): Asked<boolean> =>
    Effect.map(
      sql`
        UPDATE account_clocks SET advance_to = present,
          stopped = jsonb_build_object('reason', ${reason}::text, 'to', to_char(advance_to AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        WHERE account_id = ${account_id} AND advance_to > present RETURNING 1`,
      any
    )

  /**
   * Takes the clock away, unless it moves or a timer waits for its time. The account lives by the world's time again. Call it within a
   * transaction.
   */
  const remove = (account_id: string, id: string): Asked<boolean> =>
    Effect.gen(function*() {
      const deletedRows = yield* sql`
        DELETE FROM account_clocks WHERE account_id = ${account_id} AND id = ${id} AND advance_to IS NULL AND lease_token IS NULL
          AND NOT EXISTS (SELECT 1 FROM timers t WHERE t.account_id = ${account_id}) RETURNING 1`
      if (deletedRows.length > 0) yield* letGo(account_id)
      return deletedRows.length > 0
    })

  /**
   * Leaves the timers of an account without a clock to the world's time: of commits that were under way when the clock was taken away, too.
   */
  const letGo = (account_id: string): Asked<void> =>
    Effect.asVoid(sql`
      UPDATE timers SET held = false
      WHERE account_id = ${account_id} AND held AND NOT EXISTS (SELECT 1 FROM account_clocks c WHERE c.account_id = ${account_id})`)

  /** The kinds of the timers that wait for the account's time, and how many there are of each. */
  const waiting = (account_id: string): Asked<ReadonlyArray<{ readonly kind: string; readonly count: number }>> =>
    sql<{ readonly kind: string; readonly count: number }>`
      SELECT kind, count(*) AS count FROM timers WHERE account_id = ${account_id} GROUP BY kind ORDER BY kind`

  /** When the next thing of the account falls due, as ISO 8601; null where nothing waits. */
  const nextDue = (account_id: string): Asked<string | null> =>
    Effect.map(
      sql<{ readonly due_at: string | null }>`SELECT min(due_at) AS due_at FROM timers WHERE account_id = ${account_id}`,
      ([row]) => row?.due_at ?? null
    )

  /** Whether anything was committed in the account since it got its clock. */
  const used = (account_id: string): Asked<boolean> =>
    Effect.map(
      sql`SELECT 1 FROM account_clocks c JOIN account_heads h ON h.account_id = c.account_id
        WHERE c.account_id = ${account_id} AND h.commit_seq > c.commits_before`,
      any
    )

  /** Takes the right to move a clock that nobody holds. Finds timers of commits that did not know of it yet, too. */
  const take = (held: ClockLease, now: number, until: number): Asked<AccountClock | undefined> =>
    Effect.gen(function*() {
      const [row] = yield* sql<AccountClock>`
        UPDATE account_clocks SET lease_token = ${held.token}, lease_until = ${timestamp(until)}::timestamptz
        WHERE account_id = ${held.account_id} AND (lease_until IS NULL OR lease_until <= ${timestamp(now)}::timestamptz)
        RETURNING ${columns}`
      if (row !== undefined) yield* hold(held.account_id)
      return row
    })

  /** False when somebody else took it. */
  const renew = (held: ClockLease, until: number): Asked<boolean> =>
    Effect.map(sql`UPDATE account_clocks SET lease_until = ${timestamp(until)}::timestamptz WHERE ${heldBy(held)} RETURNING 1`, any)

  /**
   * Moves the account's present forward, and adds what was done since it was moved last. False when somebody else took the clock, or it
   * goes no longer as far.
   */
  const move = (held: ClockLease, present: number, done = 0): Asked<boolean> =>
    Effect.map(
      sql`UPDATE account_clocks SET present = greatest(present, ${timestamp(present)}::timestamptz), done = done + ${done}::bigint
        WHERE ${heldBy(held)} AND coalesce(advance_to, present) >= ${timestamp(present)}::timestamptz AND ${unhurried} RETURNING 1`,
      any
    )

  /**
   * Nothing is due up to `goal`: the account stands there now, and its clock is let go. False when it was sent further meanwhile,
   * or somebody else took it.
   */
  const arrive = (held: ClockLease, goal: number): Asked<boolean> =>
    Effect.map(
      sql`UPDATE account_clocks SET present = ${timestamp(goal)}::timestamptz, advance_to = NULL, lease_until = NULL, lease_token = NULL
        WHERE ${heldBy(held)} AND coalesce(advance_to, present) = ${timestamp(goal)}::timestamptz RETURNING 1`,
      any
    )

  /** Where the clock is to go, while it is ours. */
  const goalOf = (held: ClockLease): Asked<number | undefined> =>
    Effect.map(
      sql<{ readonly goal: string }>`SELECT coalesce(advance_to, present) AS goal FROM account_clocks WHERE ${heldBy(held)}`,
      ([row]) => row === undefined ? undefined : Date.parse(row.goal)
    )

  /** Lets go of a clock that is still on its way, for whoever takes it up. */
  const release = (held: ClockLease): Asked<void> =>
    Effect.asVoid(sql`UPDATE account_clocks SET lease_until = NULL, lease_token = NULL WHERE ${heldBy(held)}`)

  /** The accounts whose clocks were sent on their way or taken while nobody moves them any more. */
  const abandoned = (now: number): Asked<ReadonlyArray<string>> =>
    Effect.map(
      sql<{ readonly account_id: string }>`
        SELECT account_id FROM account_clocks
        WHERE (advance_to IS NOT NULL OR lease_token IS NOT NULL) AND (lease_until IS NULL OR lease_until <= ${timestamp(now)}::timestamptz)
        ORDER BY account_id`,
      (rows) => rows.map(({ account_id }) => account_id)
    )

  return { find, give, setOut, stop, remove, letGo, nextDue, waiting, used, take, renew, move, arrive, goalOf, release, abandoned }
})
