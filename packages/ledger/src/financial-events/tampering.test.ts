/** What the check of a ledger finds when somebody with full access to the database changed it. */
import { assert, layer } from "@effect/vitest"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hashed, history, openWithHistory, tamper } from "../fixture.ts"
import { Ledger } from "./service.ts"
import type { BreakReason, ChainRow } from "./verify.ts"

/** Events of {@link history}. */
const EVENTS = history.flat().length

const rowsOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<ChainRow>`SELECT * FROM financial_events WHERE merchant_id = ${account} ORDER BY sequence_id`
})

const rowAt = Effect.fnUntraced(function*(account: string, sequence_id: number) {
  const row = (yield* rowsOf(account))[sequence_id - 1]
  return row ?? assert.fail(`no event ${sequence_id}`)
})

/** Replaces a row with another that has the same place. */
const overwrite = (account: string, row: ChainRow) =>
  Effect.andThen(
    tamper((sql) => sql`DELETE FROM financial_events WHERE merchant_id = ${account} AND sequence_id = ${row.sequence_id}`),
    forge(row)
  )

const forge = (row: ChainRow) =>
  tamper((sql) =>
    sql`INSERT INTO financial_events SELECT r.* FROM jsonb_populate_record(NULL::financial_events,
    ${JSON.stringify({ ordinal: 0, reconciliation_status: "pending", ...row })}::jsonb) r`
  )

type Tampering = (account: string) => Effect.Effect<void, unknown, SqlClient.SqlClient>

/** Each with the first wrong sequence id and the reason. Event 2 captures 10,000, 3 takes the fee, 5 settles, 10 is the last. */
const tamperings: ReadonlyArray<readonly [what: string, act: Tampering, sequence_id: number, reason: BreakReason]> = [
  [
    "an amount is edited, its deltas with it",
    (account) =>
      tamper((sql) =>
        sql`UPDATE financial_events SET amount = 90000, delta_pending = 90000, counter_delta = -90000
      WHERE merchant_id = ${account} AND sequence_id = 2`
      ),
    2,
    "hash_mismatch"
  ],
  [
    "a date is edited",
    (account) =>
      tamper((sql) =>
        sql`UPDATE financial_events SET created_at = created_at + interval '1 ms' WHERE merchant_id = ${account} AND sequence_id = 7`
      ),
    7,
    "hash_mismatch"
  ],
  [
    "a row is deleted",
    (account) => tamper((sql) => sql`DELETE FROM financial_events WHERE merchant_id = ${account} AND sequence_id = 4`),
    4,
    "gap"
  ],
  [
    "the first row is deleted",
    (account) => tamper((sql) => sql`DELETE FROM financial_events WHERE merchant_id = ${account} AND sequence_id = 1`),
    1,
    "gap"
  ],
  [
    "a row is deleted and the rest moved up",
    Effect.fnUntraced(function*(account) {
      yield* tamper((sql) => sql`DELETE FROM financial_events WHERE merchant_id = ${account} AND sequence_id = 4`)
      yield* tamper((sql) =>
        sql`UPDATE financial_events SET sequence_id = -sequence_id + 100 WHERE merchant_id = ${account} AND sequence_id > 4`
      )
      yield* tamper((sql) =>
        sql`UPDATE financial_events SET sequence_id = 99 - sequence_id WHERE merchant_id = ${account} AND sequence_id > 10`
      )
    }),
    4,
    "prev_mismatch"
  ],
  [
    "the last rows are deleted",
    (account) => tamper((sql) => sql`DELETE FROM financial_events WHERE merchant_id = ${account} AND sequence_id > 8`),
    9,
    "head_mismatch"
  ],
  [
    "every row is deleted",
    (account) => tamper((sql) => sql`DELETE FROM financial_events WHERE merchant_id = ${account}`),
    1,
    "head_mismatch"
  ],
  [
    "two rows are swapped",
    Effect.fnUntraced(function*(account) {
      for (const [from, to] of [[3, 100], [6, 3], [100, 6]] as const) {
        yield* tamper((sql) =>
          sql`UPDATE financial_events SET sequence_id = ${to} WHERE merchant_id = ${account} AND sequence_id = ${from}`
        )
      }
    }),
    3,
    "prev_mismatch"
  ],
  [
    "a row is inserted, the rest moved down",
    Effect.fnUntraced(function*(account) {
      const row = yield* rowAt(account, 5)
      yield* tamper((sql) =>
        sql`UPDATE financial_events SET sequence_id = sequence_id + 100 WHERE merchant_id = ${account} AND sequence_id > 4`
      )
      yield* tamper((sql) =>
        sql`UPDATE financial_events SET sequence_id = sequence_id - 99 WHERE merchant_id = ${account} AND sequence_id > 100`
      )
      // Well made: it fits the row before, but the row behind does not fit it.
      yield* forge(hashed({ ...row, id: "fe_forged", idempotency_key: "forged" }))
    }),
    6,
    "prev_mismatch"
  ],
  [
    "a row is added at the end",
    Effect.fnUntraced(function*(account) {
      const last = yield* rowAt(account, EVENTS)
      yield* forge(hashed({ ...last, id: "fe_forged", sequence_id: EVENTS + 1, previous_hash: last.event_hash, idempotency_key: "forged" }))
    }),
    EVENTS + 1,
    "head_mismatch"
  ],
  [
    "the last row is rewritten with its hash",
    Effect.fnUntraced(function*(account) {
      yield* overwrite(account, hashed({ ...(yield* rowAt(account, EVENTS)), resource_id: "po_2" }))
    }),
    EVENTS,
    "head_mismatch"
  ],
  [
    "the last row is rewritten with its hash and the head",
    Effect.fnUntraced(function*(account) {
      const row = hashed({ ...(yield* rowAt(account, EVENTS)), amount: 2_999, delta_reserved: -2_999, counter_delta: 2_999 })
      yield* overwrite(account, row)
      yield* tamper((sql) => sql`UPDATE account_heads SET ledger_hash = ${row.event_hash} WHERE account_id = ${account}`)
    }),
    EVENTS,
    "balance_mismatch"
  ],
  [
    "a balance is edited",
    (account) => tamper((sql) => sql`UPDATE balance_accounts SET available = available + 1 WHERE account_id = ${account}`),
    EVENTS,
    "balance_mismatch"
  ],
  [
    "money is moved between the buckets of a balance",
    (account) =>
      tamper((sql) => sql`UPDATE balance_accounts SET available = available - 5, pending = pending + 5 WHERE account_id = ${account}`),
    EVENTS,
    "balance_mismatch"
  ],
  [
    "a balance is deleted",
    (account) => tamper((sql) => sql`DELETE FROM balance_accounts WHERE account_id = ${account}`),
    EVENTS,
    "balance_mismatch"
  ],
  [
    "the head is set back",
    (account) =>
      tamper((sql) =>
        sql`UPDATE account_heads h SET ledger_seq = 8, ledger_hash = e.event_hash FROM financial_events e
      WHERE h.account_id = ${account} AND e.merchant_id = ${account} AND e.sequence_id = 8`
      ),
    9,
    "head_mismatch"
  ]
]

const isFound = Effect.fnUntraced(function*(act: Tampering, sequence_id: number, reason: BreakReason) {
  const ledger = yield* Ledger
  const [account, other] = [yield* openWithHistory, yield* openWithHistory]
  assert.isTrue((yield* ledger.verify(account)).ok)
  yield* act(account)
  const verified = yield* ledger.verify(account)
  assert.deepStrictEqual(verified.first_break, { sequence_id, reason })
  assert.isFalse(verified.ok)
  assert.isTrue((yield* ledger.verify(other)).ok, "another account's ledger is not concerned")
})

const withoutConstraint = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`ALTER TABLE financial_events DROP CONSTRAINT IF EXISTS financial_events_valid`.unprepared
)

layer(services, { excludeTestServices: true })("tampering", (it) => {
  for (const [what, act, sequence_id, reason] of tamperings) {
    it.effect(`is found when ${what}`, () => isFound(act, sequence_id, reason))
  }

  // The last two, for the constraint is gone then. What it guards here is not hashed.
  it.effect("is found when the platform's side of a row is edited", () =>
    isFound(
      Effect.fnUntraced(function*(account) {
        yield* withoutConstraint
        yield* tamper((sql) =>
          sql`UPDATE financial_events SET counter_account = 'P.bank' WHERE merchant_id = ${account} AND sequence_id = 2`
        )
      }),
      2,
      "balance_mismatch"
    ))

  it.effect("is found when the last row becomes one of another event with its hash and the head, and the balances are as before", () =>
    isFound(
      Effect.fnUntraced(function*(account) {
        yield* withoutConstraint
        // A completed payout goes to the bank, a lost dispute to the rail.
        const row = hashed({ ...(yield* rowAt(account, EVENTS)), event_type: "dispute_lost" })
        yield* overwrite(account, row)
        yield* tamper((sql) => sql`UPDATE account_heads SET ledger_hash = ${row.event_hash} WHERE account_id = ${account}`)
      }),
      EVENTS,
      "balance_mismatch"
    ))
})
