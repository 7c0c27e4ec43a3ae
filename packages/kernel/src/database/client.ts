/**
 * Connections to Postgres, by what they carry: commits, the reads by key that every request makes,
 * and everything else. Commits and reads by key are few and short statements on few connections, so
 * that what comes together goes out together, and no list stands in their way.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { registry } from "./types.ts"

/** Where the database is. Provided from `DATABASE_URL`, the embedded server, or a test's own database. */
export class DatabaseConfig extends Context.Service<
  DatabaseConfig,
  Pick<PgClient.PgPoolConfig, "url" | "host" | "port" | "username" | "password" | "database" | "ssl">
>()("@svc/kernel/DatabaseConfig") {}

/** The client that the commit road writes through. Nothing else uses it. */
export class CommitClient extends Context.Service<CommitClient, PgClient.PgClient>()("@svc/kernel/CommitClient") {}

/** Reads one row by its key, pipelined with those of other requests. */
export class KeyReader extends Context.Service<KeyReader, PgClient.PgClient>()("@svc/kernel/KeyReader") {}

/**
 * How many commit statements may be under way at once in one process. One: what arrives meanwhile
 * shares the next statement and its flush to disk, which costs less than a second one beside it.
 */
export const COMMITS_IN_FLIGHT = 1

/**
 * Host, port and name of the database that an address names, as the driver reads them: the query overrides what stands before it. The
 * driver reads the address only to connect, and its spans would call every database `postgres` on `localhost:5432`.
 */
const placeIn = (address: string): Pick<PgClient.PgPoolConfig, "host" | "port" | "database"> => {
  if (!URL.canParse(address)) return {}
  const { hostname, pathname, port, searchParams } = new URL(address)
  const said = {
    host: searchParams.get("host") ?? hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(searchParams.get("port") ?? port),
    database: searchParams.get("dbname") ?? pathname.slice(1)
  }
  // What is left out, or escaped, is the driver's to fill in and to refuse.
  return Object.fromEntries(Object.entries(said).filter(([, value]) => Boolean(value) && !String(value).includes("%")))
}

const place = Effect.map(DatabaseConfig, (config) => ({
  ...(config.url === undefined ? {} : placeIn(Redacted.value(config.url))),
  ...config
}))

const common = { types: registry, applicationName: "svc" }

const make = (config: PgClient.PgPoolConfig): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> =>
  PgClient.layer({ ...common, ...config })

const general = Layer.unwrap(Effect.map(place, (config) =>
  make({
    ...config,
    // Not multiplexed: a statement would wait for whole lists, and a shared connection keeps the rows of all it answered until it is idle.
    // Lists take six at most (pages.ts), stored data three (tools), searches two (desk), and one listens.
    maxConnections: 12,
    startupParameters: { statement_timeout: "15000", lock_timeout: "5000", idle_in_transaction_session_timeout: "30000" }
  })))

/** Each table is reached by its key; a plan chosen while a table was small must not scan it when it is large. */
const byKey = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" }

const keyReader = Layer.effect(
  KeyReader,
  Effect.gen(function*() {
    const config = yield* place
    return yield* PgClient.make({
      ...common,
      ...config,
      maxConnections: 1,
      multiplex: true,
      multiplexConcurrency: 256,
      startupParameters: { statement_timeout: "15000", ...byKey }
    })
  })
).pipe(Layer.provide(Reactivity.layer))

const commits = Layer.effect(
  CommitClient,
  Effect.gen(function*() {
    const config = yield* place
    return yield* PgClient.make({
      ...common,
      ...config,
      maxConnections: COMMITS_IN_FLIGHT,
      minConnections: COMMITS_IN_FLIGHT,
      startupParameters: {
        statement_timeout: "15000",
        lock_timeout: "5000",
        idle_in_transaction_session_timeout: "30000",
        ...byKey
      }
    })
  })
).pipe(Layer.provide(Reactivity.layer))

/** All three. They connect when they are first used. */
export const layer: Layer.Layer<
  PgClient.PgClient | SqlClient.SqlClient | CommitClient | KeyReader,
  SqlError.SqlError,
  DatabaseConfig
> = Layer.mergeAll(general, keyReader, commits)
