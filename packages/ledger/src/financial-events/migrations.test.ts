/** How a database learns the routes. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { migrate } from "@svc/kernel/database/migrate"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { entry } from "../fixture.ts"
import { accounting } from "./accounting.fixture.ts"
import { prepareJudge, refusedByDatabase } from "./judged.fixture.ts"
import { migrations } from "./migrations.ts"
import { routeCheck } from "./route-check.ts"

describe("the migrations", () => {
  it("end with the routes as they are", () => {
    const learned = Object.keys(migrations).filter((name) => name.includes("_ledger_routes_")).sort().at(-1)
    const word = hash("sha256", routeCheck, "hex").slice(0, 8)
    assert.strictEqual(
      learned?.split("_").at(-1),
      word,
      `The routes or their check changed: add "<yymmddnn>_ledger_routes_${word}": learnRoutes to migrations.ts, so that every database learns them`
    )
  })
})

/** The ledger's table as the first release made it, without rows. */
const asFirstReleased = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE financial_events CASCADE`.unprepared
  yield* sql`DROP TABLE ledger_breaks`.unprepared
  for (const name of ["svc_financial_event_is_valid", "svc_ledger_is_append_only"]) yield* sql`DROP FUNCTION ${sql(name)}`.unprepared
  const first = Object.fromEntries(Object.entries(migrations).filter(([name]) => name === "26112101_financial_events"))
  yield* migrate([{ name: "ledger_from_the_first", migrations: first }])
})

layer(Database.layer.pipe(Layer.provide(layerDatabase)), { excludeTestServices: true })("a database", (it) => {
  it.effect("has the check that the code writes, and nothing of the one before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql<{ readonly name: string; readonly body: string }>`
        SELECT proname AS name, prosrc AS body FROM pg_proc WHERE proname IN ('svc_financial_event_is_valid', 'svc_route_allows')`
      assert.deepStrictEqual(found, [{ name: "svc_financial_event_is_valid", body: routeCheck.split("$$")[1] ?? "" }])
    }))

  it.effect("takes rows with an empty search path, as a restored dump writes them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* prepareJudge
      yield* sql`ALTER FUNCTION svc_test_refused SET search_path = ''`.unprepared
      assert.deepStrictEqual(yield* refusedByDatabase(accounting.map((each) => each.entry)), [])
    }))

  it.effect("of the first release learns the routes, and keeps its rows", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* asFirstReleased
      yield* prepareJudge
      const captured = entry("payment_captured", 100)
      const credits = entry("fee_charged/credits", 100)
      assert.deepStrictEqual(yield* refusedByDatabase([captured, credits]), [1])
      yield* migrate([{ name: "ledger_from_the_first", migrations }])
      assert.deepStrictEqual(yield* refusedByDatabase([captured, credits]), [])
      const [kept] = yield* sql<{ readonly n: number }>`SELECT count(*) AS n FROM financial_events`
      assert.strictEqual(kept?.n, 3)
    }))
})
