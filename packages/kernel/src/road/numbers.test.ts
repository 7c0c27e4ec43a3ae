/** Numbers of an account have no gap, whoever writes at the same time and whatever is refused. */
import { assert, layer } from "@effect/vitest"
import { layerRoad, road } from "@svc/testkit/road"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openAccount } from "../account-fixture.ts"
import { Committer } from "./committer.ts"
import type { Numbered } from "./decision.ts"
import { atLeast, commitOf, memo } from "./road-fixture.ts"

/** Tells its number in an event. */
const told = (row_id: string): Numbered => ({
  row_id,
  with: (number) => ({ writes: [], events: [{ type: "note.numbered", resource_type: "note", resource_id: row_id, resource_version: 1, data: JSON.stringify({ number }) }] })
})

const numbersOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly number: number }>`SELECT (data::jsonb->>'number')::int AS number FROM events WHERE account_id = ${account} ORDER BY seq`
  return rows.map(({ number }) => Number(number))
})

layer(road, { excludeTestServices: true })("numbers without a gap", (it) => {
  it.effect("are given in the order of the commits, to two processes at once, and not to a commit that is refused", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const one = yield* Committer
      const other = yield* Committer.pipe(Effect.provide(yield* Layer.build(Layer.fresh(layerRoad))))
      const exits = yield* Effect.forEach(Array.from({ length: 60 }, (_, n) => n), (n) =>
        Effect.exit(Effect.flatMap(commitOf(account, `note ${n}`, {
          entries: [memo],
          numbered: [told(`note_${n}`), ...(n % 3 === 0 ? [told(`note_${n}_b`)] : [])],
          requires: n % 4 === 0 ? [atLeast("USD", "available", 1)] : []
        }), (commit) => (n % 2 === 0 ? one : other).commit(commit))), { concurrency: "unbounded" })
      const written = exits.filter(Exit.isSuccess).length
      assert.strictEqual(written, 45)
      const numbers = yield* numbersOf(account)
      assert.deepStrictEqual(numbers, Array.from({ length: 60 }, (_, n) => n + 1), "45 commits, 15 of them with two numbers")
    }))
})
