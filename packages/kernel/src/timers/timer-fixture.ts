/** Timers, and handlers that tell what they do, for the tests of this package. */
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { TimerHandler } from "../parts/part.ts"
import { iso } from "../values/time.ts"
import { TimerHandlers } from "./timers.ts"

export const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)

/** A kind that no other test uses, so that tests do not run each other's timers. */
let kinds = 0
export const newKind = () => `test.kind_${++kinds}`

export const set = Effect.fnUntraced(function*(kind: string, resource_id: string, due: number, account_id = "acct_1") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO timers (account_id, kind, resource_id, due_at, attempts)
    VALUES (${account_id}, ${kind}, ${resource_id}, ${iso(at(due))}::timestamptz, 0)`
})

export interface TimerRow {
  readonly resource_id: string
  readonly due_at: string
  readonly attempts: number
  readonly lease_token: string | null
}

export const rowsOf = Effect.fnUntraced(function*(kind: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    TimerRow
  >`SELECT resource_id, due_at, attempts, lease_token FROM timers WHERE kind = ${kind} ORDER BY due_at, resource_id`
})

/** Reads the rows until they are as expected. Each read is a round trip, so the worker gets its turn. */
export const rowsWhen = (kind: string, expected: (rows: ReadonlyArray<TimerRow>) => boolean) =>
  Effect.repeat(rowsOf(kind), { until: expected })

export const withHandlers = (handlers: Readonly<Record<string, TimerHandler>>) =>
  Effect.provideService(TimerHandlers, new Map(Object.entries(handlers)))
