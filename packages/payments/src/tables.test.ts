/** What the road is told of a table is what the table is. */
import { assert, layer } from "@effect/vitest"
import * as database from "@svc/kernel/database/client"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { paymentIntents } from "./payment-intents/model.ts"
import { paymentMethods } from "./payment-methods/model.ts"
import { settlements } from "./settlements/model.ts"

/** The type that a column travels as. */
const travelsAs: Readonly<Record<string, string>> = {
  "text": "text",
  "bigint": "int8",
  "integer": "int8",
  "smallint": "int8",
  "boolean": "boolean",
  "timestamp with time zone": "timestamptz",
  "jsonb": "jsonb"
}

layer(database.layer.pipe(Layer.provide(layerDatabase)))("the tables that the road writes", (it) => {
  for (const table of [paymentIntents, paymentMethods, settlements]) {
    it.effect(`${table.name} has the columns of its schema, with their types`, () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const columns = yield* sql<{ readonly name: string; readonly type: string }>`
          SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = ${table.name}`
        assert.deepStrictEqual(table.columns, Object.fromEntries(columns.map(({ name, type }) => [name, travelsAs[type]])) as typeof table.columns)
        assert.includeMembers(Object.keys(table.columns), [...table.changes, table.account, "id", "version"])
        assert.include(table.changes, "version")
      }))
  }
})
