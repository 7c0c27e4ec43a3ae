/** What the road is told of a table is what the table is. */
import { assert, it as plainly, layer } from "@effect/vitest"
import * as database from "@svc/kernel/database/client"
import type { Table } from "@svc/kernel/road/decision"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { globSync } from "node:fs"
import { join } from "node:path"

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

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && "columns" in value && "name" in value && "account" in value

const packages = join(import.meta.dirname, "..", "..")

/** What the models of all packages export that is a table. */
const tables = (await Promise.all(
  globSync("*/src/*/model.ts", { cwd: packages }).map(async (path) => {
    const module: Readonly<Record<string, unknown>> = await import(join(packages, path))
    return Object.values(module).filter(isTable)
  })
)).flat()

plainly("tables are found where they are declared", () => {
  assert.includeMembers(tables.map(({ name }) => name), ["agent_keys", "payment_intents", "payment_methods", "settlements", "tool_calls"])
})

layer(database.layer.pipe(Layer.provide(layerDatabase)))("the tables that the road writes", (it) => {
  for (const table of tables) {
    it.effect(`${table.name} has the columns of its schema, with their types`, () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const columns = yield* sql<{ readonly name: string; readonly type: string; readonly sealed: boolean }>`
          SELECT column_name AS name, data_type AS type, coalesce(domain_name = 'sealed', false) AS sealed
          FROM information_schema.columns WHERE table_name = ${table.name}`
        assert.deepStrictEqual(
          table.columns,
          Object.fromEntries(columns.map(({ name, type }) => [name, travelsAs[type]])) as typeof table.columns
        )
        const fixed = table.fixed ?? []
        assert.includeMembers(Object.keys(table.columns), [...fixed, table.account, "id", "version"])
        assert.notInclude(fixed, "version")
        // The rotation of keys replaces what is sealed; an update would bring the old box back.
        assert.includeMembers([...fixed], columns.filter(({ sealed }) => sealed).map(({ name }) => name))
      }))
  }
})
