/**
 * A Postgres and a server of another commit, for the making of a dump. Needs Postgres's own programs on the machine, version 15 or newer.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
/** Postgres refuses to run as root. */
const owner = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** The folder of initdb: `pg_config` names it, as distributions keep it out of PATH. */
const programs = (): string => execFileSync("pg_config", ["--bindir"], { encoding: "utf8" }).trim()

export interface Cluster {
  readonly url: string
  /** The database as SQL: tables and rows, without owners. */
  readonly dump: () => string
  readonly stop: () => void
}

/** What a client of SQL does not know: psql's own commands. */
const PSQL = /^\\(?:un)?restrict .*\n/gmu

export const startCluster = (port: number): Cluster => {
  const folder = mkdtempSync(join(tmpdir(), "svc-dump-"))
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, "data")
  const run = (program: string, args: ReadonlyArray<string>) =>
    execFileSync(join(programs(), program), args, {
      ...owner,
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 2 ** 28
    })
  run("initdb", ["-D", data, "-U", "svc", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
  execFileSync(join(programs(), "pg_ctl"), [
    "-D",
    data,
    "-w",
    "-l",
    join(folder, "log"),
    "-o",
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c timezone=UTC`,
    "start"
  ], { ...owner, cwd: folder, stdio: "ignore" })
  const url = `postgres://svc@127.0.0.1:${port}/svc`
  run("createdb", ["-h", "127.0.0.1", "-p", String(port), "-U", "svc", "svc"])
  return {
    url,
    dump: () => run("pg_dump", ["--inserts", "--no-owner", "--no-privileges", "--no-comments", url]).replaceAll(PSQL, ""),
    stop: () => {
      run("pg_ctl", ["-D", data, "-m", "fast", "-w", "stop"])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export interface OldServer {
  readonly api: string
  readonly tools: string
  /** The seeded merchant. */
  readonly credentials: unknown
  /** Calls the command line of that commit. */
  readonly svc: (...args: ReadonlyArray<string>) => string
  readonly stop: () => Promise<void>
}

const WAIT_MS = 180_000
const PAUSE_MS = 250

const ready = async (url: string, server: ChildProcess): Promise<void> => {
  for (let waited = 0; waited < WAIT_MS && server.exitCode === null; waited += PAUSE_MS) {
    await sleep(PAUSE_MS)
    const answer = await fetch(`${url}/openapi.json`).catch(() => undefined)
    if (answer?.ok === true) return
  }
  throw new Error(`The server of that commit did not start at ${url}. Its output stands above.`)
}

/** Starts the server of a worktree, whose packages are installed. */
export const startServer = async (
  worktree: string,
  ports: { readonly api: number; readonly tools: number },
  variables: Readonly<Record<string, string>>
): Promise<OldServer> => {
  const dataDir = mkdtempSync(join(tmpdir(), "svc-dump-data-"))
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    DATA_DIR: dataDir,
    API_PORT: String(ports.api),
    TOOLS_PORT: String(ports.tools),
    LOG_LEVEL: "Warn",
    ...variables
  }
  const node = (entry: string) => ["--disable-warning=ExperimentalWarning", join(worktree, entry)]
  const server = spawn(process.execPath, node("packages/server/src/main.ts"), {
    cwd: worktree,
    env,
    stdio: ["ignore", "ignore", "inherit"]
  })
  const api = `http://127.0.0.1:${ports.api}`
  await ready(api, server)
  const file = join(dataDir, "credentials.json")
  for (let n = 0; n < 100; n++) {
    const isThere = await Promise.resolve().then(() => readFileSync(file)).then(() => true, () => false)
    if (isThere) break
    await sleep(100)
  }
  return {
    api,
    tools: `http://127.0.0.1:${ports.tools}`,
    credentials: readFileSync(file, "utf8"),
    svc: (...args) =>
      execFileSync(process.execPath, [...node("packages/cli/src/main.ts"), ...args], { cwd: worktree, env, encoding: "utf8" }),
    stop: async () => {
      server.kill("SIGTERM")
      if (server.exitCode === null) await once(server, "exit")
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
}
