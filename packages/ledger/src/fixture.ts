/** Accounts with ledgers, for the tests of this package. Everything is written by the commit road. */
import { openAccount } from "@svc/kernel/road/account-fixture"
import { Committer } from "@svc/kernel/road/committer"
import type { Entry } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Statement } from "effect/sql"
import { eventHash, GENESIS_HASH, HASH_VERSION } from "./financial-events/chain.ts"
import { legs, post } from "./financial-events/routes.ts"
import type { Posting, RouteName } from "./financial-events/routes.ts"
import type { ChainRow } from "./financial-events/verify.ts"

export { openAccount }

/** Writes entries in one commit. `cause` is unique within the account. */
export const write = Effect.fnUntraced(function*(account_id: string, entries: ReadonlyArray<Entry>, cause: string) {
  const committer = yield* Committer
  yield* committer.commit({ account_id, at: yield* now, cause, writes: [], entries, events: [], set: [], clear: [] })
})

/** What may be said of a posting. */
interface Said extends Partial<Posting> {
  /** Where the route has the choice: all through pending, or all through available. */
  readonly pending?: boolean
}

/** An entry of `amount` USD about one thing that has no row: what says of its rows what its entries come to must find it. */
export const entry = (route: RouteName, amount: number, { pending, ...more }: Said = {}): Entry => {
  const chosen = pending === undefined || legs.get(route)?.split === undefined ? {} : { through_pending: pending ? amount : 0 }
  return post(route, { amount, currency: "USD", resource_type: "imagined", resource_id: "pi_1", ...chosen, ...more })
}

/** Ten events: two payments, one of them settled, refunded, and paid out in part. The books balance after each. */
export const history: ReadonlyArray<ReadonlyArray<Entry>> = [
  [entry("payment_authorized", 10_000)],
  [entry("payment_captured", 10_000), entry("fee_charged", 320), entry("settlement_queued", 9_680)],
  [entry("settlement_completed", 9_680)],
  [entry("payment_captured", 5_000, { resource_id: "pi_2" }), entry("fee_charged", 175, { resource_id: "pi_2" })],
  [entry("payment_refunded", 1_000, { through_pending: 0 })],
  [entry("payout_initiated", 3_000, { resource_id: "po_1" })],
  [entry("payout_completed", 3_000, { resource_id: "po_1" })]
]

/** A new account with {@link history}. */
export const openWithHistory = Effect.gen(function*() {
  const account = yield* openAccount
  for (const [n, entries] of history.entries()) yield* write(account, entries, `cause-${n}`)
  return account
})

/** What an administrator of the database could do: no trigger sees it. */
export const tamper = Effect.fnUntraced(function*(act: (sql: SqlClient.SqlClient) => Statement.Statement<unknown>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.andThen(sql`SET LOCAL session_replication_role = replica`.unprepared, act(sql)))
})

/** A row with the hash that its fields have. */
export const hashed = (row: Omit<ChainRow, "event_hash">): ChainRow => ({ ...row, event_hash: eventHash(row) })

/** Entries as a sound chain, without a database. */
export const chainOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<ChainRow> => {
  let previous_hash = GENESIS_HASH
  return entries.map((drafted, n) => {
    const row = hashed({
      ...drafted,
      id: makeId("fe", n),
      merchant_id: "acct_1",
      sequence_id: n + 1,
      idempotency_key: `cause-${n}`,
      previous_hash,
      hash_version: HASH_VERSION,
      created_at: "2026-01-01T00:00:00.000Z"
    })
    previous_hash = row.event_hash
    return row
  })
}
