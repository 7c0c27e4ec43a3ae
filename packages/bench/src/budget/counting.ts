/** A server whose work is counted, and a Postgres that counts with it. */
import { PgClient } from "@effect/sql-pg"
import { EmbeddedPostgres, layer as embeddedLayer } from "@svc/platform/database/embedded"
import { freePorts } from "@svc/testkit/ports"
import { Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { ready, type Server, serverEnvironment, serverOptions } from "../processes.ts"
import type { Counted, Question } from "./probe.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Settings that make what Postgres writes depend on nothing but what it is told to write. They need a start of their own. */
const SETTINGS = ["shared_preload_libraries = 'pg_stat_statements'", "autovacuum = off", "full_page_writes = off"]

const prepare = Effect.gen(function*() {
  const { config } = yield* EmbeddedPostgres
  const sql = yield* PgClient.make({ ...config, database: "postgres", maxConnections: 1 })
  for (const setting of SETTINGS) yield* sql.unsafe(`ALTER SYSTEM SET ${setting}`).unprepared
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

/** An embedded Postgres that counts statements and writes nothing by itself. */
export const countingPostgres = (dataDir: string) => {
  const postgres = embeddedLayer({ dataDir, durable: false })
  return Layer.unwrap(Effect.as(Effect.provide(prepare, Layer.fresh(postgres)), Layer.fresh(postgres)))
}

export interface CountedServer extends Server {
  readonly ask: (question: Question) => Effect.Effect<Counted>
}

/** Code is interpreted: what an optimizing compiler leaves out depends on how far it has come. */
const INTERPRETED = ["--no-opt", "--no-maglev"]

/** Our server with the probe in it. `main`: its program, as a path from here. */
export const startCounted = Effect.fn("startCounted")(function*(databaseUrl: string, dataDir: string, main: string) {
  const { port, toolsPort } = yield* freePorts("port", "toolsPort")
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      fork(here(main), {
        execArgv: ["--disable-warning=ExperimentalWarning", ...serverOptions, ...INTERPRETED, "--import", here("./probe.ts")],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        env: { ...process.env, ...serverEnvironment(databaseUrl, dataDir, { port, toolsPort }) }
      })
    ),
    (process) =>
      Effect.promise(async () => {
        const ended = process.exitCode === null && process.signalCode === null ? once(process, "exit") : undefined
        // It closes its connections, and Postgres counts what they did.
        process.kill("SIGTERM")
        await ended
      })
  )
  // The probe looks at the stack of each effect that the start makes.
  yield* ready({ child, output: { text: "what it said stands above" } }, `http://127.0.0.1:${port}/readyz`, "5 minutes")
  return {
    port,
    toolsPort,
    pid: child.pid ?? 0,
    ask: (question) =>
      Effect.callback<Counted>((resume) => {
        child.once("message", (answer: Counted) => resume(Effect.succeed(answer)))
        child.send(question)
      })
  } satisfies CountedServer
})
