/** Proof that contestants did the same work: what a database must hold after a number of whole charges. */
import { Effect } from "effect"
import { query } from "./postgres.ts"
import { BenchFailed } from "./processes.ts"

/** What whole charges left behind, by table, and the money of the balances in minor units. */
export interface Tally {
  readonly payment_intents: number
  readonly idempotency_keys: number
  readonly financial_events: number
  readonly events: number
  readonly timers: number
  readonly settlements: number
  readonly pending: number
  /** Bytes of replies and event bodies of one charge. */
  readonly bytes: number
}

export const TALLY = `SELECT
  (SELECT count(*) FROM payment_intents)::float8 AS payment_intents,
  (SELECT count(*) FROM idempotency_keys)::float8 AS idempotency_keys,
  (SELECT count(*) FROM financial_events)::float8 AS financial_events,
  (SELECT count(*) FROM events)::float8 AS events,
  (SELECT count(*) FROM timers)::float8 AS timers,
  (SELECT count(*) FROM settlements)::float8 AS settlements,
  (SELECT sum(pending) FROM balance_accounts)::float8 AS pending,
  ((SELECT sum(length(response_body)) FROM idempotency_keys) + (SELECT sum(length(data)) FROM events))::float8
    / nullif((SELECT count(*) FROM payment_intents), 0) AS bytes`

/** A charge of 19.99 USD less a fee of 2.9 % and 30 cents. */
const PENDING = 1911
/** A body names fees and attempts with a digit more or less. */
const BYTES_APART = 0.05

/** Why the tally is not that of whole charges; undefined when it is. */
export const unequal = (tally: Tally, bytes: number): string | undefined => {
  const charges = tally.payment_intents
  const counts = [
    ["idempotency_keys", tally.idempotency_keys, 3 * charges],
    ["financial_events", tally.financial_events, 4 * charges],
    ["events", tally.events, 3 * charges],
    ["timers", tally.timers, charges],
    ["settlements", tally.settlements, charges],
    ["pending", tally.pending, PENDING * charges]
  ] as const
  for (const [name, found, expected] of counts) {
    if (found !== expected) return `${charges} charges left ${found} of ${name} instead of ${expected}`
  }
  return Math.abs(tally.bytes / bytes - 1) > BYTES_APART
    ? `a charge left ${Math.round(tally.bytes)} bytes of bodies instead of ${Math.round(bytes)}`
    : undefined
}

export const tally = Effect.fnUntraced(function*(database: string) {
  const [found] = yield* query<Tally>(database, TALLY)
  return found ?? (yield* new BenchFailed({ message: `${database} could not be counted` }))
})

/** Fails unless every contestant wrote whole charges, with bodies as large as those of the first. */
export const requireSameRows = Effect.fnUntraced(function*(databases: ReadonlyArray<string>) {
  let bytes: number | undefined
  for (const database of databases) {
    const found = yield* tally(database)
    bytes ??= found.bytes
    const why = unequal(found, bytes)
    if (why !== undefined) return yield* new BenchFailed({ message: `${database} did not do the same work: ${why}` })
  }
})
