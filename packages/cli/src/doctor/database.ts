/** Whether the database answers and has every migration. An embedded one that nobody runs is left alone. */
import { gapIn, inspect as inspectMigrations } from "@svc/kernel/database/migrate"
import { ServerConfig } from "@svc/server/config"
import { migrationSets } from "@svc/server/packages"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerAsIs, servedAt } from "../database.ts"
import { failed, note, ok } from "./finding.ts"

const OLDEST_POSTGRES = 150_000

const inspect = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [about] = yield* sql<{ readonly number: number; readonly version: string }>`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`
  if (about === undefined) return failed("it answers, but not as Postgres does. Set DATABASE_URL to a Postgres 15 or newer.")
  if (about.number < OLDEST_POSTGRES) {
    return failed(`Postgres ${about.version} is too old: svc needs 15. Update it, or leave DATABASE_URL unset.`)
  }
  const states = yield* inspectMigrations(migrationSets)
  const gap = gapIn(states)
  if (gap !== undefined) return failed(`Postgres ${about.version} answers, but ${gap}`)
  const missing = states.flatMap((state) => state.missing)
  return missing.length === 0
    ? ok(`Postgres ${about.version} answers and has every migration`)
    : note(
      `Postgres ${about.version} answers and lacks ${missing.length} migrations; the next start applies them, or npm run svc -- migrate`
    )
})

export const database = Effect.gen(function*() {
  const { databaseUrl, dataDir } = yield* ServerConfig
  if (databaseUrl === undefined && (yield* servedAt(dataDir)) === undefined) {
    return note("the embedded one is not running; npm start starts it")
  }
  return yield* inspect.pipe(Effect.provide(layerAsIs))
})
