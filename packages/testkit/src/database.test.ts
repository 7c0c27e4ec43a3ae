import { assert, it, layer } from "@effect/vitest"
import * as Client from "@svc/kernel/database/client"
import { tableOf } from "@svc/kernel/database/migrate"
import { migrationSets } from "@svc/server/packages"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerDatabase } from "./database.ts"
import { removeLeftovers } from "./postgres.ts"

const database = Layer.provideMerge(Client.layer, layerDatabase)

const marker = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE only_here (n int)`
  const rows = yield* sql<{ name: string }>`SELECT current_database() AS name`
  return rows[0]?.name
})

layer(database)("a test database", (it) => {
  it.effect("has every migration", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const set of migrationSets) {
        const rows = yield* sql<{ name: string }>`SELECT name FROM ${sql(tableOf(set))}`
        assert.sameMembers(rows.map((row) => row.name), Object.keys(set.migrations).map((key) => key.slice(key.indexOf("_") + 1)), set.name)
      }
    }))

  it.effect("is its own, shared with no other block", () =>
    Effect.gen(function*() {
      const here = yield* marker
      // The same table would already exist if this were one database.
      const there = yield* marker.pipe(Effect.provide(Layer.fresh(database), { local: true }))
      assert.notStrictEqual(here, there)
      const sql = yield* SqlClient.SqlClient
      const left = yield* sql`SELECT 1 FROM pg_database WHERE datname = ${there ?? ""}`
      assert.strictEqual(left.length, 0, "dropped with its layer")
    }))
})

it("the files of a killed run's Postgres are removed by the next, and those of a running one are not", () => {
  const parent = mkdtempSync(join(tmpdir(), "svc-leftovers-"))
  const { pid: gone } = spawnSync(process.execPath, ["-e", ""])
  for (const name of [`svc-test-${gone}-a`, `svc-test-${process.pid}-b`, "another"]) {
    mkdirSync(join(parent, name, "postgres"), { recursive: true })
  }
  removeLeftovers(parent)
  assert.sameMembers(readdirSync(parent), [`svc-test-${process.pid}-b`, "another"])
  rmSync(parent, { recursive: true })
})
