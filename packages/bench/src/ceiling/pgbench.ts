/** Runs the ceiling by pgbench, a program of Postgres that npm does not carry. */
import { Effect, Option } from "effect"
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import type { Database } from "../postgres.ts"
import { BenchFailed, start } from "../processes.ts"

const DEBIAN = "/usr/lib/postgresql"

const debianFolders = (): ReadonlyArray<string> => {
  try {
    return readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN, version, "bin"))
  } catch {
    return []
  }
}

/** Where pgbench is: on PATH, or where Debian puts it. */
export const find: Effect.Effect<Option.Option<string>> = Effect.sync(() => {
  for (const folder of [...(process.env["PATH"] ?? "").split(delimiter), ...debianFolders()]) {
    const program = join(folder, "pgbench")
    try {
      accessSync(program, constants.X_OK)
      return Option.some(program)
    } catch {
      continue
    }
  }
  return Option.none()
})

export const NOT_FOUND = "pgbench not found: install postgresql-contrib or postgresql, or put it on PATH"

export interface Run {
  readonly clients: number
  readonly seconds: number
  readonly merchants: number
  /** Which run on this database it is, so that identifiers differ. */
  readonly round: number
}

/** What is run, and the variables that it takes besides `i` and `merchants`. */
export interface Script {
  readonly text: string
  readonly variables: Readonly<Record<string, string>>
}

const scriptFile = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "svc-pgbench-"))
      const file = join(folder, "script.sql")
      writeFileSync(file, text)
      return { folder, file }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** Iterations no client reaches in one run. */
const ROUND = 10_000_000

/** Runs of the script a second. */
export const run = Effect.fn("pgbench")(function*(program: string, database: Database, script: Script, options: Run) {
  const { file } = yield* scriptFile(script.text)
  const variables = { ...script.variables, merchants: options.merchants, i: options.round * ROUND }
  const { child, output } = yield* start(program, [
    "--no-vacuum",
    "--protocol=prepared",
    `--client=${options.clients}`,
    "--jobs=2",
    `--time=${options.seconds}`,
    `--file=${file}`,
    `--host=${database.host}`,
    `--username=${database.user}`,
    ...Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
    database.name
  ], { PGPASSWORD: database.password })
  yield* Effect.callback<void>((resume) => {
    if (child.exitCode !== null) resume(Effect.void)
    else child.once("close", () => resume(Effect.void))
  })
  const rate = /^tps = ([\d.]+)/m.exec(output.text)?.[1]
  if (child.exitCode !== 0 || rate === undefined) return yield* new BenchFailed({ message: `pgbench failed: ${output.text.trim()}` })
  return Number(rate)
}, Effect.scoped)
