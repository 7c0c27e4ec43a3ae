/** One Postgres server for all contestants, with the settings of the embedded one, and a fresh database for each. */
import { PgClient } from "@effect/sql-pg"
import { migrate } from "@svc/kernel/database/migrate"
import { EmbeddedPostgres } from "@svc/platform/database/embedded"
import { migrationSets } from "@svc/server/packages"
import { Effect, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { seedStatements } from "./merchants.ts"

export interface Database {
  readonly name: string
  /** How programs are told of it. */
  readonly url: string
  /** The folder of the socket, as libpq's programs want it. */
  readonly host: string
  readonly user: string
  readonly password: string
}

export const connect = (database: string) =>
  Effect.gen(function*() {
    const { config } = yield* EmbeddedPostgres
    return yield* PgClient.make({ ...config, database, maxConnections: 1, startupParameters: { statement_timeout: "0" } })
  }).pipe(Effect.provide(Reactivity.layer))

/** Runs statements in a database, one after another, each in its own transaction. */
export const run = Effect.fnUntraced(function*(database: string, statements: ReadonlyArray<string>, params: ReadonlyArray<unknown> = []) {
  const sql = yield* connect(database)
  for (const statement of statements) yield* params.length === 0 ? sql.unsafe(statement).unprepared : sql.unsafe(statement, params)
}, Effect.scoped)

export const query = Effect.fnUntraced(function*<Row extends object>(database: string, text: string, params: ReadonlyArray<unknown> = []) {
  const sql = yield* connect(database)
  return yield* sql.unsafe<Row>(text, params)
}, Effect.scoped)

/** A new database with our schema and so many merchants. */
export const createDatabase = Effect.fn("createDatabase")(function*(name: string, merchants: number) {
  const { config } = yield* EmbeddedPostgres
  yield* run("postgres", [`CREATE DATABASE ${name}`])
  const client = PgClient.layer({ ...config, database: name })
  yield* migrate(migrationSets).pipe(Effect.provide(client))
  yield* run(name, seedStatements, [merchants])
  const { host, username: user } = config
  const port = config.port === undefined ? "" : `&port=${config.port}`
  const password = Redacted.value(config.password)
  const database: Database = {
    name,
    url: `postgres://${user}:${password}@localhost/${name}?host=${encodeURIComponent(host)}${port}`,
    host,
    user,
    password
  }
  return database
})

/** Removes a database, so that nothing tends its tables while others are measured. */
export const dropDatabase = (name: string) => run("postgres", [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`])

/** Waits for what earlier writes still owe the disk, so that no contestant pays for another's. */
export const settle = run("postgres", ["CHECKPOINT"])

const DUE = `SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables WHERE n_ins_since_vacuum + n_dead_tup > 1000`

/**
 * The same after loads on a database, which make the vacuuming of some tables due. Of those only: one that is vacuumed while it is
 * empty is planned for as empty until the next time.
 */
export const settleAfterLoad = Effect.fnUntraced(function*(database: string) {
  const due = yield* query<{ readonly name: string }>(database, DUE)
  if (due.length > 0) yield* run(database, [`VACUUM (ANALYZE) ${due.map(({ name }) => name).join(", ")}`])
  yield* settle
})
