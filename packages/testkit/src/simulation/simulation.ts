/** One seed from beginning to end: merchants of its own, a history, the invariants. Seeds share a database, one after another. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { processWith } from "../process.ts"
import { makeChance } from "./chance.ts"
import { play } from "./history.ts"
import { broken } from "./invariants.ts"
import { reconciliationBroken } from "./reconciliation.ts"
import { process } from "./world.ts"

/** Steps of a history. */
export const LENGTH = 60

/** Plays a seed and returns what it broke, and how much happened. */
export const simulate = Effect.fn("simulate")(function*(seed: string, length: number = LENGTH) {
  const played = yield* play(seed, length)
  const { accounts, books } = played
  const invariants = yield* Effect.provide(broken(played), processWith())
  // The provider's own books, without misfortunes.
  const reports = yield* Effect.provide(reconciliationBroken(accounts, books), process(books, makeChance(seed), { enabled: false }))
  const problems = [...invariants, ...reports]
  // Subscriptions go on for ever, and their renewals are no part of the next history on this database.
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM timers WHERE account_id = ANY(${accounts.map(({ id }) => id)}::text[])`
  return { problems, requests: played.sent.length, crashes: played.crashes, timers: played.timersRun }
})
