import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import * as Database from "./client.ts"
import { isDiskFull, isUnreachable } from "./unreachable.ts"

/** What Postgres says in answer to this statement. */
const failureOf = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.flip(sql.unsafe(statement)))

layer(Database.layer.pipe(Layer.provide(layerDatabase)))("a database that is away, and one that refuses", (it) => {
  it.effect.each(
    [
      ["57P01", true],
      ["57P02", true],
      ["57P03", true],
      ["53300", true],
      ["08006", true],
      ["57014", false],
      ["53100", false],
      ["40001", false],
      ["23505", false],
      ["P0001", false],
      ["28P01", false]
    ] as const
  )("%s", ([code, away]) =>
    Effect.gen(function*() {
      const failure = yield* failureOf(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`)
      assert.strictEqual(isUnreachable(failure), away)
      assert.strictEqual(isDiskFull(failure), code === "53100")
    }))

  it.effect("a connection that ends in the middle of a statement", () =>
    Effect.gen(function*() {
      assert.isTrue(isUnreachable(yield* failureOf("SELECT pg_terminate_backend(pg_backend_pid())")))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    }))

  it.effect("a statement that makes no sense", () =>
    Effect.gen(function*() {
      assert.isFalse(isUnreachable(yield* failureOf("SELECT * FROM nowhere")))
    }))
})

describe("isUnreachable", () => {
  it.effect("a port that nobody listens on", () =>
    Effect.gen(function*() {
      // Port 1 is for a service that no system has run for decades (tcpmux).
      const failure = yield* PgClient.make({ host: "127.0.0.1", port: 1, username: "nobody", database: "none" }).pipe(
        Effect.flatMap((sql) => sql`SELECT 1`),
        Effect.scoped,
        Effect.flip
      )
      assert.isTrue(isUnreachable(failure))
    }).pipe(Effect.provide(Reactivity.layer)))

  it.each([undefined, null, "57P01", new Error("57P01"), { code: "57P01" }])("%s is no failure of the database", (error) => {
    assert.isFalse(isUnreachable(error))
    assert.isFalse(isDiskFull(error))
  })
})
