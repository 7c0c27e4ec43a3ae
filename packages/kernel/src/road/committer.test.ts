import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { connections, realTime } from "@svc/testkit/real-time"
import { layerRoad, verifyBooks } from "@svc/testkit/road"
import { Effect, Exit, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { Row } from "../database/columns.ts"
import { Actor } from "../parts/actor.ts"
import { makeId } from "../values/ids.ts"
import { iso, now } from "../values/time.ts"
import { openAccount } from "./account-fixture.ts"
import { Committer, InBackground } from "./committer.ts"
import type { Table } from "./decision.ts"
import { captured, commitOf, refunded } from "./road-fixture.ts"
import { noted, Sent } from "./sent-fixture.ts"

const methods: Table = {
  name: "payment_methods",
  account: "account_id",
  columns: {
    account_id: "text",
    id: "text",
    type: "text",
    status: "text",
    customer_id: "text",
    brand: "text",
    last4: "text",
    exp_month: "int8",
    exp_year: "int8",
    fingerprint: "text",
    token: "text",
    metadata: "jsonb",
    created_at: "timestamptz",
    updated_at: "timestamptz",
    version: "int8"
  },
  fixed: ["type", "brand", "last4", "exp_month", "exp_year", "fingerprint", "token"]
}

const methodRow = Effect.fnUntraced(function*(account_id: string): Effect.fn.Return<Row> {
  const at = yield* now
  return {
    account_id,
    id: makeId("pm", at.epochMilliseconds),
    type: "card",
    status: "active",
    customer_id: null,
    brand: "visa",
    last4: "4242",
    exp_month: 12,
    exp_year: 2034,
    fingerprint: "fp",
    token: "tok_visa",
    metadata: {},
    created_at: iso(at),
    updated_at: iso(at),
    version: 1
  }
})

const event = (row: Row) => ({
  type: "payment_method.created",
  resource_type: "payment_method",
  resource_id: row.id,
  resource_version: row.version,
  data: "{}"
})

/** The number of an account's entries, whose chain and sums must hold. */
const checkChain = Effect.fnUntraced(function*(account: string) {
  const { checked, first_break } = yield* verifyBooks(account)
  assert.isNull(first_break)
  return checked
})

const balanceOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly pending: number }
  >`SELECT pending FROM balance_accounts WHERE account_id = ${account} AND currency = 'USD'`
  return row?.pending
})

const reasonOf = <A>(result: Result.Result<A, { readonly reason: string }>) => Result.isFailure(result) ? result.failure.reason : "written"

const noting = layerRoad.pipe(
  Layer.provideMerge(noted),
  Layer.provideMerge(connections),
  Layer.provideMerge(Layer.provide(layerDatabase, realTime))
)

layer(noting)("the commit road", (it) => {
  it.effect("writes rows, entries, balances, events, timers and the key together", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const committer = yield* Committer
      const account = yield* openAccount
      const row = yield* methodRow(account)
      yield* committer.commit(
        yield* commitOf(account, "k1", {
          writes: [{ table: methods, row }],
          entries: [captured(500), captured(700)],
          events: [event(row), event(row)],
          set: [{ kind: "test", resource_id: row.id, due_at: yield* now }],
          key: {
            key: "k1",
            operation: "test",
            fingerprint: "f",
            resource_type: "payment_method",
            resource_id: row.id,
            mode: "first",
            reply: { status: 201, body: "{}" }
          }
        })
      )
      assert.strictEqual(yield* checkChain(account), 2)
      assert.strictEqual(yield* balanceOf(account), 1_200)
      const seqs = yield* sql<{ readonly seq: number }>`SELECT seq FROM events WHERE account_id = ${account} ORDER BY seq`
      assert.deepStrictEqual(seqs.map(({ seq }) => seq), [1, 2])
      assert.strictEqual((yield* sql`SELECT 1 FROM timers WHERE account_id = ${account}`).length, 1)
      yield* committer.commit(yield* commitOf(account, "k2", { clear: [{ kind: "test", resource_id: row.id }] }))
      assert.strictEqual((yield* sql`SELECT 1 FROM timers WHERE account_id = ${account}`).length, 0)
    }))

  it.effect("refuses a stale version and writes nothing of it", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      const row = yield* methodRow(account)
      yield* committer.commit(yield* commitOf(account, "a", { writes: [{ table: methods, row }] }))
      const stale = yield* Effect.result(committer.commit(
        yield* commitOf(account, "b", {
          writes: [{ table: methods, row: { ...row, version: 3 } }],
          entries: [captured(500)]
        })
      ))
      assert.strictEqual(reasonOf(stale), "version")
      assert.strictEqual(yield* checkChain(account), 0)
    }))

  it.effect("inserts a new row at whatever version it is, once, and its next version follows that", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      const row = { ...(yield* methodRow(account)), version: 3 }
      const made = { writes: [{ table: methods, row, isNew: true as const }] }
      yield* committer.commit(yield* commitOf(account, "a", made))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(committer.commit(yield* commitOf(account, "b", made)))))
      assert.strictEqual(
        reasonOf(
          yield* Effect.result(
            Effect.flatMap(commitOf(account, "c", { writes: [{ table: methods, row: { ...row, version: 3 } }] }), committer.commit)
          )
        ),
        "version"
      )
      yield* committer.commit(yield* commitOf(account, "d", { writes: [{ table: methods, row: { ...row, version: 4 } }] }))
      assert.deepStrictEqual(
        (yield* sql<{ readonly version: number }>`SELECT version FROM payment_methods WHERE id = ${row.id}`).map(({ version }) => version),
        [4]
      )
    }))

  it.effect("replaces the version that a commit of several changes decided on, also beside a commit of one, and no other", () =>
    Effect.gen(function*() {
      const [sql, committer, sent] = [yield* SqlClient.SqlClient, yield* Committer, yield* Sent]
      const account = yield* openAccount
      const [one, other] = [yield* methodRow(account), yield* methodRow(account)]
      const write = (cause: string, row: Row, replaces?: number) =>
        Effect.flatMap(
          commitOf(account, cause, { writes: [{ table: methods, row, replaces }], entries: [captured(1)] }),
          (commit) => Effect.result(committer.commit(commit))
        )
      yield* Effect.forEach([one, other], (row) => write(`made ${row.id}`, row))
      sent.length = 0
      const beside = [write("a", { ...one, version: 3, status: "revoked" }, 1), write("b", { ...other, version: 2 })]
      assert.deepStrictEqual((yield* Effect.all(beside, { concurrency: "unbounded" })).map(reasonOf), ["written", "written"])
      assert.strictEqual(sent.length, 1)
      assert.strictEqual(reasonOf(yield* write("c", { ...one, version: 4 }, 2)), "version")
      const rows = yield* sql<
        { readonly status: string; readonly version: number }
      >`SELECT status, version FROM payment_methods WHERE account_id = ${account} ORDER BY version`
      assert.deepStrictEqual(rows.map(({ status, version }) => [status, version]), [["active", 2], ["revoked", 3]])
      assert.strictEqual(yield* checkChain(account), 4)
    }))

  it.effect("who waits with several changes of a version that is gone hears so without another statement", () =>
    Effect.gen(function*() {
      const [committer, sent] = [yield* Committer, yield* Sent]
      const account = yield* openAccount
      const row = yield* methodRow(account)
      yield* committer.commit(yield* commitOf(account, "a", { writes: [{ table: methods, row }] }))
      sent.length = 0
      const results = yield* Effect.forEach([2, 3], (version) =>
        Effect.flatMap(
          commitOf(account, `v${version}`, { writes: [{ table: methods, row: { ...row, version }, replaces: 1 }] }),
          (commit) => Effect.result(committer.commit(commit))
        ), { concurrency: "unbounded" })
      assert.deepStrictEqual([results.map(reasonOf), sent.length], [["written", "version"], 1])
    }))

  it.effect("an update writes every column that the table does not call fixed", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      const row = yield* methodRow(account)
      yield* committer.commit(yield* commitOf(account, "a", { writes: [{ table: methods, row }] }))
      const changed = {
        ...row,
        status: "revoked",
        brand: "mastercard",
        customer_id: "cus_1",
        created_at: "2020-01-01T00:00:00.000Z",
        version: 2
      }
      yield* committer.commit(yield* commitOf(account, "b", { writes: [{ table: methods, row: changed }] }))
      const [stored] = yield* sql`SELECT status, brand, customer_id, created_at FROM payment_methods WHERE id = ${row.id}`
      assert.deepStrictEqual(stored, { status: "revoked", brand: "visa", customer_id: "cus_1", created_at: row["created_at"] })
    }))

  it.effect("of many commits on one version, exactly one is written", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      const row = yield* methodRow(account)
      yield* committer.commit(yield* commitOf(account, "a", { writes: [{ table: methods, row }] }))
      const results = yield* Effect.forEach(Array.from({ length: 40 }, (_, n) => n), (n) =>
        Effect.flatMap(
          commitOf(account, `c${n}`, { writes: [{ table: methods, row: { ...row, version: 2 } }], entries: [captured(1)] }),
          (commit) => Effect.result(committer.commit(commit))
        ), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map(reasonOf).filter((reason) => reason === "written").length,
        1
      )
      assert.isTrue(results.map(reasonOf).every((reason) => reason === "written" || reason === "version"))
      assert.strictEqual(yield* checkChain(account), 1)
    }))

  it.effect("who was overtaken while waiting hears so without another statement, and its neighbours go on", () =>
    Effect.gen(function*() {
      const [committer, sent] = [yield* Committer, yield* Sent]
      const account = yield* openAccount
      const rows = yield* Effect.forEach(Array.from({ length: 8 }), () => methodRow(account))
      yield* committer.commit(yield* commitOf(account, "a", { writes: rows.map((row) => ({ table: methods, row })) }))
      sent.length = 0
      // Three want the second version of each row; one more wants the third, behind them.
      const wanted = [2, 2, 2, 3].flatMap((version) => rows.map((row) => ({ ...row, version })))
      const results = yield* Effect.forEach(wanted, (row, n) =>
        Effect.flatMap(commitOf(account, `c${n}`, { writes: [{ table: methods, row }], entries: [captured(1)] }), (commit) =>
          Effect.result(committer.commit(commit))), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        [0, 8, 16, 24].map((from) =>
          new Set(results.slice(from, from + 8).map(reasonOf))
        ),
        [
          new Set(["written"]),
          new Set(["version"]),
          new Set(["version"]),
          new Set(["written"])
        ]
      )
      assert.strictEqual(sent.length, 2, "one for the second versions, one for the third")
      assert.strictEqual(yield* checkChain(account), 16)
    }))

  it.effect("of many commits with one key, exactly one is written, also across accounts", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const accounts = yield* Effect.all([openAccount, openAccount, openAccount])
      const key = {
        key: makeId("req", 1),
        operation: "test",
        fingerprint: "f",
        resource_type: "x",
        resource_id: "x",
        mode: "first" as const,
        reply: { status: 200, body: "{}" }
      }
      const results = yield* Effect.forEach(Array.from({ length: 30 }, (_, n) => n), (n) =>
        Effect.flatMap(commitOf(accounts[n % 3]!, `same${n}`, { key, entries: [captured(10)] }), (commit) =>
          Effect.result(committer.commit(commit))), { concurrency: "unbounded" })
      assert.strictEqual(
        results.map(reasonOf).filter((reason) =>
          reason === "written"
        ).length,
        1
      )
      const lengths = yield* Effect.forEach(accounts, checkChain)
      assert.strictEqual(
        lengths.reduce((sum, length) =>
          sum + length, 0),
        1
      )
    }))

  it.effect("a commit that would take a bucket below zero is refused alone; its neighbours in the batch are written", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const [rich, poor] = yield* Effect.all([openAccount, openAccount])
      const results = yield* Effect.all(
        [
          commitOf(rich, "in", { entries: [captured(100)] }),
          commitOf(poor, "out", { entries: [refunded(1)] }),
          commitOf(rich, "in2", { entries: [captured(50)] })
        ].map((made) => Effect.flatMap(made, (commit) => Effect.result(committer.commit(commit)))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results.map(reasonOf), ["written", "below_zero", "written"])
      assert.strictEqual(yield* balanceOf(rich), 150)
      assert.strictEqual(yield* checkChain(poor), 0)
    }))

  it.effect("what somebody waits for does not stand behind all that nobody waits for, nor keeps it back", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const accounts = yield* Effect.replicateEffect(openAccount, 20)
      const done: Array<string> = []
      const entry = (who: string, inBackground: boolean) => (_: unknown, n: number) =>
        Effect.flatMap(commitOf(accounts[n % 20]!, `${who}${n}`, { entries: [captured(1)] }), (commit) => committer.commit(commit)).pipe(
          Effect.andThen(Effect.sync(() => done.push(who))),
          Effect.provideService(InBackground, inBackground)
        )
      yield* Effect.all([...Array.from({ length: 256 }, entry("nobody", true)), ...Array.from({ length: 256 }, entry("somebody", false))], {
        concurrency: "unbounded"
      })
      const early = done.slice(0, 256).filter((who) => who === "somebody").length
      assert.isTrue(early > 64 && early < 192, `${early} of the first 256 were waited for`)
    }))

  it.effect("keeps what people change of any table, and software's statement is the same as if nobody were asked", () =>
    Effect.gen(function*() {
      const [sql, committer, sent] = [yield* SqlClient.SqlClient, yield* Committer, yield* Sent]
      const account = yield* openAccount
      const row = yield* methodRow(account)
      const as = (type: string, version: number, replaces?: number) =>
        Effect.flatMap(
          commitOf(account, `v${version}`, {
            writes: [{ table: methods, row: { ...row, version, customer_id: `v${version}` }, replaces }]
          }),
          committer.commit
        ).pipe(Effect.provideService(Actor, { type, id: `${type}_1` }))
      yield* as("api_key", 1)
      sent.length = 0
      yield* Effect.forEach(["system", "api_key", "person", "agent_key"], (type, n) => as(type, n + 2))
      const [system, key, person, agent] = sent
      assert.deepStrictEqual([key, agent], [system, system])
      assert.include(person, "audit_payment_methods")
      const entries = yield* sql<{ readonly actor_id: string; readonly before: object; readonly after: object }>`
        SELECT actor_id, before, after FROM audit_log WHERE account_id = ${account} AND resource_type = 'payment_method'`
      // The table of this test shows nothing.
      assert.deepStrictEqual(entries, [{ actor_id: "person_1", before: { customer_id: "hidden" }, after: { customer_id: "hidden" } }])
      const late = yield* Effect.result(as("person", 4))
      assert.strictEqual(reasonOf(late), "version")
      // Several changes of one commit are one entry.
      yield* as("person", 7, 5)
      assert.strictEqual((yield* sql`SELECT 1 FROM audit_log WHERE account_id = ${account} AND actor_id = 'person_1'`).length, 2)
    }))

  it.effect("goes on behind a process of the version before, which moved the head without counting its commit", () =>
    Effect.gen(function*() {
      const [sql, committer] = [yield* SqlClient.SqlClient, yield* Committer]
      const account = yield* openAccount
      const row = yield* methodRow(account)
      yield* committer.commit(yield* commitOf(account, "a", { entries: [captured(1)], events: [event(row)] }))
      const other = yield* Committer.pipe(Effect.provide(yield* Layer.build(Layer.fresh(layerRoad))))
      yield* other.commit(yield* commitOf(account, "b", { entries: [captured(2)], events: [event(row)] }))
      yield* sql`UPDATE account_heads SET commit_seq = commit_seq - 1 WHERE account_id = ${account}`
      // Here the head is remembered as it was before.
      yield* committer.commit(yield* commitOf(account, "c", { set: [{ kind: "test", resource_id: row.id, due_at: yield* now }] }))
      assert.strictEqual(yield* checkChain(account), 2)
      yield* sql`UPDATE account_heads SET commit_seq = commit_seq - 1 WHERE account_id = ${account}`
      yield* other.commit(yield* commitOf(account, "d", { entries: [captured(3)], events: [event(row)] }))
      yield* committer.commit(yield* commitOf(account, "e", { entries: [captured(4)], events: [event(row)] }))
      assert.strictEqual(yield* checkChain(account), 4)
    }))

  it.effect("two processes on the same accounts keep every chain whole", () =>
    Effect.gen(function*() {
      const here = yield* Committer
      const there = yield* Layer.build(Layer.fresh(layerRoad))
      const other = yield* Committer.pipe(Effect.provide(there))
      const accounts = yield* Effect.forEach(Array.from({ length: 6 }), () => openAccount)
      yield* Effect.forEach(Array.from({ length: 300 }, (_, n) => n), (n) =>
        Effect.flatMap(commitOf(accounts[n % 6]!, `n${n}`, { entries: [captured(n + 1)] }), (commit) =>
          (n % 2 === 0 ? here : other).commit(commit)), { concurrency: 64, discard: true })
      for (const [index, account] of accounts.entries()) {
        assert.strictEqual(yield* checkChain(account), 50)
        const expected = Array.from({ length: 50 }, (_, k) =>
          k * 6 + index + 1).reduce((sum, amount) =>
            sum + amount, 0)
        assert.strictEqual(yield* balanceOf(account), expected)
      }
    }), 180_000)
})
