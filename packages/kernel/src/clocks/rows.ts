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
}

/** The right to move a clock, until its lease is over. */
export interface Held {
  readonly account_id: string
  readonly token: string
}

const timestamp = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

type Asked<A> = Effect.Effect<A, SqlError.SqlError>

export const clockRows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const columns = sql`account_id, id, present, advance_to, created_at`
  const heldBy = ({ account_id, token }: Held) => sql`account_id = ${account_id} AND lease_token = ${token}`
  /** What a crash of the database takes back of these is done again, and what follows is never durable before they are. */
  const unhurried = sql`(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL`
  const any = (rows: ReadonlyArray<unknown>) => rows.length > 0

  const find = (account_id: string): Asked<AccountClock | undefined> =>
    Effect.map(sql<AccountClock>`SELECT ${columns} FROM account_clocks WHERE account_id = ${account_id}`, ([row]) => row)

  /** Gives an account its clock and leaves its timers to it. False when it has one. Call it within a transaction. */
  const give = (clock: Pick<AccountClock, "account_id" | "id" | "present">): Asked<boolean> =>
    Effect.gen(function*() {
      const made = yield* sql`
        INSERT INTO account_clocks (account_id, id, present, created_at)
        VALUES (${clock.account_id}, ${clock.id}, ${clock.present}::timestamptz, ${clock.present}::timestamptz)
        ON CONFLICT (account_id) DO NOTHING RETURNING account_id`
      if (made.length > 0) yield* hold(clock.account_id)
      return made.length > 0
    })

  const hold = (account_id: string) => sql`UPDATE timers SET held = true WHERE account_id = ${account_id} AND NOT held`

  /** Sends a clock that stands still on its way. Nothing when it is under way, or stands later than that. */
  const setOut = (account_id: string, to: number): Asked<AccountClock | undefined> =>
    Effect.map(
      sql<AccountClock>`
        UPDATE account_clocks SET advance_to = ${timestamp(to)}::timestamptz
        WHERE account_id = ${account_id} AND advance_to IS NULL AND present <= ${timestamp(to)}::timestamptz
        RETURNING ${columns}`,
      ([row]) => row
    )

  /** Takes the right to move a clock that nobody holds. Finds timers of commits that did not know of it yet, too. */
  const take = (held: Held, now: number, until: number): Asked<AccountClock | undefined> =>
    Effect.gen(function*() {
      const [row] = yield* sql<AccountClock>`
        UPDATE account_clocks SET lease_token = ${held.token}, lease_until = ${timestamp(until)}::timestamptz
        WHERE account_id = ${held.account_id} AND (lease_until IS NULL OR lease_until <= ${timestamp(now)}::timestamptz)
        RETURNING ${columns}`
      if (row !== undefined) yield* hold(held.account_id)
      return row
    })

  /** False when somebody else took it. */
  const renew = (held: Held, until: number): Asked<boolean> =>
    Effect.map(sql`UPDATE account_clocks SET lease_until = ${timestamp(until)}::timestamptz WHERE ${heldBy(held)} RETURNING 1`, any)

  /** Moves the account's present forward. False when somebody else took the clock. */
  const move = (held: Held, present: number): Asked<boolean> =>
    Effect.map(
      sql`UPDATE account_clocks SET present = greatest(present, ${timestamp(present)}::timestamptz)
        WHERE ${heldBy(held)} AND ${unhurried} RETURNING 1`,
      any
    )

  /**
   * Nothing is due up to `goal`: the account stands there now, and its clock is let go. False when it was sent further meanwhile,
   * or somebody else took it.
   */
  const arrive = (held: Held, goal: number): Asked<boolean> =>
    Effect.map(
      sql`UPDATE account_clocks SET present = ${timestamp(goal)}::timestamptz, advance_to = NULL, lease_until = NULL, lease_token = NULL
        WHERE ${heldBy(held)} AND coalesce(advance_to, present) = ${timestamp(goal)}::timestamptz RETURNING 1`,
      any
    )

  /** Where the clock is to go, while it is ours. */
  const goalOf = (held: Held): Asked<number | undefined> =>
    Effect.map(
      sql<{ readonly goal: string }>`SELECT coalesce(advance_to, present) AS goal FROM account_clocks WHERE ${heldBy(held)}`,
      ([row]) => row === undefined ? undefined : Date.parse(row.goal)
    )

  /** Lets go of a clock that is still on its way, for whoever takes it up. */
  const release = (held: Held): Asked<void> =>
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

  return { find, give, setOut, take, renew, move, arrive, goalOf, release, abandoned }
})
