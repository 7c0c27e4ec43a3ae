/** What the database itself refuses, whoever writes: the last line of defence of the books. */
import { assert, layer } from "@effect/vitest"
import type { Entry } from "@svc/kernel/road/decision"
import { road } from "@svc/testkit/road"
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { chainOf, entry, openAccount, openWithHistory } from "../fixture.ts"
import { accounting, wrongEntries } from "./accounting.fixture.ts"
import { prepareJudge, refusedByDatabase } from "./judged.fixture.ts"
import { counterAccounts, followsRoute, ledgerEventTypes, legs, routeNames } from "./routes.ts"
import { verifyChain } from "./verify.ts"

const Refused = Schema.Struct({ reason: Schema.Struct({ cause: Schema.Struct({ code: Schema.String }) }) })
const isRefused = Schema.is(Refused)

/** The SQLSTATE with which a statement was refused. */
const codeOf = Effect.fnUntraced(function*<A, E, R>(statement: Effect.Effect<A, E, R>) {
  const result = yield* Effect.result(statement)
  if (Result.isSuccess(result)) return "accepted"
  return isRefused(result.failure) ? result.failure.reason.cause.code : String(result.failure)
})

const CHECK_VIOLATION = "23514"
const APPEND_ONLY = "SV002"

/** Writes one row as the first of a new chain, past the commit road. */
const insert = Effect.fnUntraced(function*(account: string, drafted: Entry) {
  const sql = yield* SqlClient.SqlClient
  const row = { ...chainOf([drafted])[0], merchant_id: account, ordinal: 0, reconciliation_status: "pending" }
  return yield* sql`INSERT INTO financial_events SELECT r.* FROM jsonb_populate_record(NULL::financial_events, ${
    JSON.stringify(row)
  }::jsonb) r`
})

const wrongRows: ReadonlyArray<readonly [string, Entry]> = [
  ["an unknown event", { ...entry("payment_authorized", 100), event_type: "payment_imagined" }],
  ["a row that does not sum to zero", { ...entry("payment_captured", 100), counter_delta: -99 }],
  ["a memo that moves money", { ...entry("payment_authorized", 100), delta_available: 100, counter_delta: -100 }],
  ["a memo against a platform account", { ...entry("payment_authorized", 100), counter_account: "P.bank" }],
  ["another platform account", { ...entry("payment_captured", 100), counter_account: "P.bank" }],
  ["more moved than the amount", { ...entry("payment_captured", 100), delta_pending: 101, counter_delta: -101 }],
  ["another bucket", { ...entry("payment_captured", 100), delta_available: 100, delta_pending: 0 }],
  ["a fee from reserved money", { ...entry("fee_charged", 100), delta_pending: 0, delta_reserved: -100 }],
  ["a fee from both buckets", { ...entry("fee_charged", 100), delta_available: -60, delta_pending: -40 }],
  ["a refund that pays into a bucket", { ...entry("payment_refunded", 100), delta_available: -140, delta_pending: 40 }],
  ["a settlement out of nothing", { ...entry("settlement_completed", 100), delta_pending: 0, counter_delta: -100 }],
  ["a gift card out of nothing", { ...entry("gift_card_loaded", 100), delta_pending: 0, counter_delta: -100 }],
  ["a gift card at half price", { ...entry("gift_card_loaded", 100), delta_available: -50, delta_pending: 0, counter_delta: -50 }],
  ["a debit that is called a credit", { ...entry("payout_initiated", 100), direction: "credit" }],
  ["a memo that is called the other way", { ...entry("payment_authorized", 100), direction: "debit" }],
  ["an amount that JavaScript does not hold exactly", { ...entry("payment_authorized", 100), amount: 2 ** 53 }]
]

const MAX = Number.MAX_SAFE_INTEGER
const Posted = Schema.Struct({
  route: Schema.Literals(routeNames),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: MAX })),
  /** Tenths of the amount that go through pending, where the route has the choice. */
  through: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10 }))
})
const ROWS = 500
const many = <A extends Schema.Top>(item: A) => Schema.Array(item).check(Schema.isBetweenLength(ROWS, ROWS))

/** As much through pending as was drawn, or as the route allows. */
const posted = ({ amount, route, through }: typeof Posted.Type): Entry => {
  const leg = legs.get(route)
  if (leg?.split === undefined) return entry(route, amount)
  const part = Math.floor(amount / 10) * through
  return entry(route, amount, { through_pending: leg.mixed === true || part === 0 ? part : amount })
}

const changed = [
  "event_type",
  "direction",
  "amount",
  "delta_available",
  "delta_pending",
  "delta_reserved",
  "counter_account",
  "counter_delta",
  "shift"
] as const
const Changes = Schema.Array(Schema.Struct({
  field: Schema.Literals(changed),
  to: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
})).check(Schema.isMaxLength(3))

/** What a field may be changed to: values that other routes have there, and some that none has. */
const choices = (made: Entry): Readonly<Record<typeof changed[number], ReadonlyArray<string | number>>> => {
  const { amount, delta_available, delta_pending, delta_reserved } = made
  const some = [0, amount, -amount, 1, -1, amount + 1, Math.floor(amount / 2), -Math.floor(amount / 2), MAX, -MAX]
  return {
    event_type: [...ledgerEventTypes, "payment_imagined"],
    direction: ["debit", "credit"],
    amount: some,
    delta_available: some,
    delta_pending: some,
    delta_reserved: some,
    counter_account: [...counterAccounts, "P.elsewhere"],
    // Half of them balance the row.
    counter_delta: some.flatMap((value) => [value, -(delta_available + delta_pending + delta_reserved) || 0]),
    shift: some
  }
}
const Drawn = Schema.Struct({ from: Posted, changes: Changes })
const drawn = ({ changes, from }: typeof Drawn.Type): Entry =>
  changes.reduce<Entry>((made, { field, to }) => {
    const values = choices(made)[field]
    const value = values[to % values.length]
    // From one bucket to the other, which leaves the sum as it is.
    return field === "shift"
      ? { ...made, delta_available: made.delta_available + Number(value), delta_pending: made.delta_pending - Number(value) }
      : { ...made, [field]: value }
  }, posted(from))

layer(road, { excludeTestServices: true })("the ledger's table", (it) => {
  for (const [what, row] of wrongRows) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function*() {
        assert.strictEqual(yield* codeOf(insert(yield* openAccount, row)), CHECK_VIOLATION)
      }))
  }

  it.effect("takes every entry of the accounting rules, and none with one thing wrong", () =>
    Effect.gen(function*() {
      yield* prepareJudge
      assert.deepStrictEqual(yield* refusedByDatabase(accounting.map((each) => each.entry)), [])
      const refused = yield* refusedByDatabase(wrongEntries.map(([, wrong]) => wrong))
      const taken = wrongEntries.filter((_, n) => !refused.includes(n))
      assert.deepStrictEqual(taken.map(([name]) => name), [])
    }))

  it.effect.prop(
    "takes everything that post() makes, and so does a check of the ledger",
    [many(Posted)],
    ([all]) =>
      Effect.gen(function*() {
        yield* prepareJudge
        const entries = all.map(posted)
        assert.deepStrictEqual(yield* refusedByDatabase(entries), [])
        assert.deepInclude(verifyChain(chainOf(entries)), { first_break: null, checked: ROWS })
      }),
    { arbitrary: { runs: 5 } }
  )

  it.effect.prop("judges any row as the code does", [many(Drawn)], ([all]) =>
    Effect.gen(function*() {
      yield* prepareJudge
      const entries = all.map(drawn)
      const refused = new Set(yield* refusedByDatabase(entries))
      const differing = entries.filter((judged, n) => followsRoute(judged) === refused.has(n))
      assert.deepStrictEqual(differing, [])
      // Enough of both, or the property says little.
      assert.isTrue(refused.size > ROWS / 10 && refused.size < ROWS * 0.9, `${refused.size} of ${ROWS} refused`)
    }), { arbitrary: { runs: 8 } })

  it.effect("is append-only", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* openWithHistory
      const own = sql`merchant_id = ${account} AND sequence_id = 2`
      assert.strictEqual(yield* codeOf(sql`UPDATE financial_events SET currency = 'EUR' WHERE ${own}`), APPEND_ONLY)
      assert.strictEqual(
        yield* codeOf(sql`UPDATE financial_events SET reconciliation_status = 'matched', ordinal = 7 WHERE ${own}`),
        APPEND_ONLY
      )
      assert.strictEqual(yield* codeOf(sql`DELETE FROM financial_events WHERE ${own}`), APPEND_ONLY)
      assert.strictEqual(yield* codeOf(sql`TRUNCATE financial_events`), APPEND_ONLY)
      const partitions = yield* sql<{ readonly name: string }>`
        SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'financial_events'::regclass`
      assert.isAbove(partitions.length, 0)
      for (const { name } of partitions) {
        assert.strictEqual(yield* codeOf(sql`TRUNCATE ${sql(name)}`), APPEND_ONLY)
        assert.strictEqual(
          yield* codeOf(sql`DELETE FROM ${sql(name)} WHERE merchant_id = ${account}`),
          (yield* holds(name, account)) ? APPEND_ONLY : "accepted"
        )
      }
    }))

  it.effect("lets reconciliation change its status, and nothing else", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const account = yield* openWithHistory
      assert.strictEqual(
        yield* codeOf(sql`UPDATE financial_events SET reconciliation_status = 'matched' WHERE merchant_id = ${account}`),
        "accepted"
      )
      const left = yield* sql`SELECT 1 FROM financial_events WHERE merchant_id = ${account} AND reconciliation_status <> 'matched'`
      assert.strictEqual(left.length, 0)
      assert.strictEqual(
        yield* codeOf(sql`UPDATE financial_events SET reconciliation_status = 'guessed' WHERE merchant_id = ${account}`),
        CHECK_VIOLATION
      )
    }))
})

/** Whether a partition has rows of the account. */
const holds = Effect.fnUntraced(function*(partition: string, account: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM ${sql(partition)} WHERE merchant_id = ${account} LIMIT 1`).length > 0
})
