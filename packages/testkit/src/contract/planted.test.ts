/** One of everything that the API can make: whatever somebody changes in a row of it, the log names it. */
import { assert, layer } from "@effect/vitest"
import { LoggedTables } from "@svc/webhooks/log/logged"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { differences, named, plant, shown, spread } from "../planted.ts"
import { makeResources } from "./resources.ts"
import { layer as service } from "./service.ts"

const EDITS = 1_000

layer(service, { excludeTestServices: true, timeout: "120 seconds" })("rows of every table that the log holds", (it) => {
  it.effect("are what it says, and a changed field of any of them is named", () =>
    Effect.gen(function*() {
      const tables = (yield* LoggedTables).all().map(({ table }) => table.name)
      yield* makeResources("planted")
      assert.deepStrictEqual(yield* differences, [])
      const fields = spread(yield* shown(yield* SqlClient.SqlClient), EDITS)
      assert.sameMembers(Array.from(new Set(fields.map(({ table }) => table))), tables)
      yield* plant(fields)
      assert.sameMembers((yield* differences).map(named), fields.map(named))
    }))
})
