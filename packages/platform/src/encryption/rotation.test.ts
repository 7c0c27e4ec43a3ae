import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Keyring, makeKey, readKeys } from "./keyring.ts"
import { rotate } from "./rotation.ts"

const [a, b] = [makeKey("a"), makeKey("b")]
const ring = (...keys: ReadonlyArray<string>) => Keyring.make(Result.getOrThrow(readKeys(keys.join(","))))

const keys = SqlClient.SqlClient.use((sql) =>
  sql<
    { readonly key: string | null; readonly rows: number }
  >`SELECT number ->> 'key' AS key, count(*)::int AS rows FROM vaults GROUP BY 1 ORDER BY 1`
)

layer(Database.layer.pipe(Layer.provide(layerDatabase)))("changing keys", (it) => {
  it.effect("finds sealed columns by their type, seals them anew, and is repeated without effect", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE vaults (account_id text, id text, number sealed, PRIMARY KEY (account_id, id))`
      const before = ring(a)
      const rows = Array.from(
        { length: 1_203 },
        (_, n) => ({ account_id: `acct_${n % 7}`, id: `v_${n}`, number: JSON.stringify(before.seal(`number ${n}`, `v_${n}`)) })
      )
      yield* sql`INSERT INTO vaults SELECT account_id, id, number::jsonb FROM jsonb_to_recordset(${
        JSON.stringify(rows)
      }::jsonb) AS r(account_id text, id text, number text)`
      yield* sql`INSERT INTO vaults VALUES ('acct_8', 'v_none', null)`

      const after = ring(b, a)
      const find = (all: Effect.Success<ReturnType<typeof rotate>>) => all.find(({ column }) => column === "vaults.number")
      const turn = Effect.provideService(rotate(), Keyring, after)
      assert.deepStrictEqual(find(yield* turn), { column: "vaults.number", sealed: 1_203, unopened: [] })
      assert.deepStrictEqual(yield* keys, [{ key: "b", rows: 1_203 }, { key: null, rows: 1 }])
      const sealed = yield* sql<
        { readonly id: string; readonly number: { readonly key: string; readonly box: string } }
      >`SELECT id, number::jsonb AS number FROM vaults WHERE number IS NOT NULL`
      for (const { id, number } of sealed) assert.strictEqual(yield* ring(b).open(number, id), `number ${id.slice(2)}`)
      assert.deepStrictEqual(find(yield* turn), { column: "vaults.number", sealed: 0, unopened: [] })
    }))

  it.effect("goes on after it was stopped, and leaves and names what does not open", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // Half of them as they were before, one with a key that nobody has any more, one that was moved from another row.
      const before = ring(a)
      yield* Effect.forEach(Array.from({ length: 40 }, (_, n) => n), (n) =>
        sql`UPDATE vaults SET number = ${JSON.stringify(before.seal(`number ${n}`, `v_${n}`))}::jsonb WHERE id = ${`v_${n}`}`)
      yield* sql`UPDATE vaults SET number = ${JSON.stringify(ring(makeKey("lost")).seal("number 50", "v_50"))}::jsonb WHERE id = 'v_50'`
      yield* sql`UPDATE vaults SET number = ${JSON.stringify(before.seal("number 60", "v_61"))}::jsonb WHERE id = 'v_60'`
      const done = (yield* Effect.provideService(rotate(), Keyring, ring(b, a))).find(({ column }) =>
        column === "vaults.number"
      )
      assert.strictEqual(done?.sealed, 40)
      assert.sameDeepMembers([...done?.unopened ?? []], [{ id: "v_50", key: "lost" }, { id: "v_60", key: "a" }])
      assert.deepStrictEqual(yield* keys, [{ key: "a", rows: 1 }, { key: "b", rows: 1_201 }, { key: "lost", rows: 1 }, {
        key: null,
        rows: 1
      }])
    }))
})
