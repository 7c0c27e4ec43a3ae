/** Numbers of an account have no gap, whoever writes at the same time and whatever is refused. */
import { assert, layer } from "@effect/vitest"
import { connections } from "@svc/testkit/real-time"
import { layerRoad, road, verifyBooks } from "@svc/testkit/road"
import { Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openAccount } from "./account-fixture.ts"
import { Committer } from "./committer.ts"
import type { NumberedWrite } from "./decision.ts"
import { atLeast, commitOf, memo } from "./road-fixture.ts"

/** Tells its number in an event. */
const told = (row_id: string): NumberedWrite => ({
  row_id,
  with: (number) => ({
    writes: [],
    events: [{ type: "note.numbered", resource_type: "note", resource_id: row_id, resource_version: 1, data: JSON.stringify({ number }) }]
  })
})

const upTo = (last: number): ReadonlyArray<number> => Array.from({ length: last }, (_, n) => n + 1)

/** Two processes: each has its own connection, its own queue and its own memory of the head. */
const twoProcesses = Effect.gen(function*() {
  const others = layerRoad.pipe(Layer.provideMerge(connections))
  return [yield* Committer, yield* Committer.pipe(Effect.provide(yield* Layer.build(Layer.fresh(others))))] as const
})

/** Whose number is which. */
const holders = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    { readonly id: string; readonly number: number }
  >`SELECT resource_id AS id, (data::jsonb->>'number')::int AS number FROM events WHERE account_id = ${account} ORDER BY seq`
})

/**
 * A connection ends in the midst of a commit that tells of a note with this name: as its row is written, or at the very end, when all is
 * written and nothing durable.
 */
const doom = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(
    `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`
  )
  yield* sql.unsafe(
    `CREATE TRIGGER at_once BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.resource_id LIKE 'doomed at once%') EXECUTE FUNCTION die()`
  )
  yield* sql.unsafe(
    `CREATE CONSTRAINT TRIGGER at_the_end AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.resource_id LIKE 'doomed at the end%') EXECUTE FUNCTION die()`
  )
})

/** Ends up to six connections in the midst of what they write: it looks until it has found them, however fast the writing is. */
const terminate = Effect.fnUntraced(function*(ended: { count: number }) {
  const sql = yield* SqlClient.SqlClient
  while (ended.count < 6) {
    const cut = yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IN ('active', 'idle in transaction') AND query LIKE '%account_heads%'`
    ended.count += cut.length
    yield* Effect.sleep(cut.length === 0 ? "1 millis" : "15 millis")
  }
})

const numbersOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    { readonly number: number }
  >`SELECT (data::jsonb->>'number')::int AS number FROM events WHERE account_id = ${account} ORDER BY seq`
  return rows.map(({ number }) => Number(number))
})

layer(road, { excludeTestServices: true })("numbers without a gap", (it) => {
  it.effect("are given in the order of the commits, to two processes at once, and not to a commit that is refused", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const [one, other] = yield* twoProcesses
      const exits = yield* Effect.forEach(
        Array.from({ length: 60 }, (_, n) => n),
        (n) =>
          Effect.exit(Effect.flatMap(
            commitOf(account, `note ${n}`, {
              entries: [memo],
              numbered: [told(`note_${n}`), ...(n % 3 === 0 ? [told(`note_${n}_b`)] : [])],
              requires: n % 4 === 0 ? [atLeast("USD", "available", 1)] : []
            }),
            (commit) => (n % 2 === 0 ? one : other).commit(commit)
          )),
        { concurrency: "unbounded" }
      )
      const written = exits.filter(Exit.isSuccess).length
      assert.strictEqual(written, 45)
      const numbers = yield* numbersOf(account)
      assert.deepStrictEqual(numbers, upTo(60), "45 commits, 15 of them with two numbers")
    }))

  it.effect("have no gap when connections end in the midst of a commit, and neighbours in its statement get theirs", () =>
    Effect.gen(function*() {
      yield* doom
      const account = yield* openAccount
      const processes = yield* twoProcesses
      const names = Array.from(
        { length: 48 },
        (_, n) => n % 12 === 5 ? `doomed at once ${n}` : n % 12 === 10 ? `doomed at the end ${n}` : `note ${n}`
      )
      const exits = yield* Effect.forEach(
        names,
        (name, n) =>
          Effect.exit(
            Effect.flatMap(commitOf(account, name, { entries: [memo], numbered: [told(name)] }), (commit) =>
              processes[n % 2 === 0 ? 0 : 1].commit(commit))
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(names.filter((_, n) => exits[n]?._tag === "Failure"), names.filter((name) => name.startsWith("doomed")))
      const found = yield* holders(account)
      assert.deepStrictEqual(found.map(({ number }) => Number(number)), upTo(40))
      assert.sameMembers(found.map(({ id }) => id), names.filter((name) => name.startsWith("note")))
    }))

  it.effect("have no gap and no double when connections end at any moment, refusals and races among them", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const processes = yield* twoProcesses
      const ended = { count: 0 }
      const ending = yield* Effect.forkChild(terminate(ended))
      const exits: Array<Exit.Exit<unknown, unknown>> = []
      // A fast machine writes 240 notes before a connection is ended: then more are written.
      while (exits.length < 240 || (ended.count === 0 && exits.length < 24_000)) {
        const first = exits.length
        exits.push(
          ...yield* Effect.forEach(
            Array.from({ length: 240 }, (_, n) => first + n),
            (n) =>
              Effect.exit(
                Effect.flatMap(
                  commitOf(account, `note ${n}`, {
                    entries: [memo],
                    numbered: [told(`note ${n}`)],
                    requires: n % 5 === 0 ? [atLeast("USD", "available", 1)] : []
                  }),
                  (commit) => processes[n % 2 === 0 ? 0 : 1].commit(commit)
                )
              ),
            { concurrency: 40 }
          )
        )
      }
      yield* Fiber.interrupt(ending)
      assert.isAbove(ended.count, 0)
      const names = exits.map((_, n) => `note ${n}`)
      const found = yield* holders(account)
      assert.deepStrictEqual(
        found.map(({ number }) => Number(number)),
        upTo(found.length)
      )
      assert.strictEqual(new Set(found.map(({ id }) => id)).size, found.length)
      const numbered = new Set(found.map(({ id }) => id))
      // What died may have been written or not; what was answered was written, and what was refused was not.
      assert.deepStrictEqual(names.filter((name, n) => exits[n]?._tag === "Success" && !numbered.has(name)), [])
      assert.deepStrictEqual(names.filter((name, n) => n % 5 === 0 && numbered.has(name)), [])
      yield* Effect.flatMap(
        commitOf(account, "last", { entries: [memo], numbered: [told("last")] }),
        (commit) => processes[0].commit(commit)
      )
      assert.deepInclude({ ...(yield* holders(account)).at(-1) }, { id: "last", number: found.length + 1 })
      assert.isNull((yield* verifyBooks(account)).first_break)
    }))
})
