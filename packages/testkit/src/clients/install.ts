/**
 * The clients that agents use, and the suites that judge servers. They are several hundred packages that no user of this service needs, so they
 * have a lock file of their own in `packages/testkit/clients`, and are installed when a test asks for the first of them.
 */
import { Clock, Effect } from "effect"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export const folder = join(import.meta.dirname, "../../clients")

/** Inside node_modules, so that it goes with what it vouches for. */
const marker = join(folder, "node_modules", ".svc-installed")
const lock = join(folder, ".installing")

const wanted = (): string => createHash("sha256").update(`${process.platform} ${process.arch} `).update(readFileSync(join(folder, "package-lock.json"))).digest("hex")

const isInstalled = (): boolean => existsSync(marker) && readFileSync(marker, "utf8") === wanted()

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export const run = (command: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<Ended>((resume) => {
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => void (stdout += String(chunk)))
    child.stderr.on("data", (chunk) => void (stderr += String(chunk)))
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    return Effect.sync(() => void child.kill())
  })

/** Nothing is installed that the lock file has no hash of; the packages' own scripts do not run. Two of them ask for versions of a third that do not fit. */
const install = Effect.gen(function*() {
  const npm = process.env["npm_execpath"]
  const command = npm === undefined ? ["npm"] : [process.execPath, npm]
  const [program = "npm", ...first] = command
  const { code, stderr } = yield* run(program, [...first, "ci", "--legacy-peer-deps", "--workspaces=false", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
  if (code !== 0) return yield* Effect.die(new Error(`The clients of packages/testkit/clients cannot be installed: ${stderr.slice(-2_000)}`))
  writeFileSync(marker, wanted())
})

/** Several test files may ask at once: the first one installs, and a folder that was left behind by one that was killed counts for nothing after ten minutes. */
const locked = Effect.map(Clock.currentTimeMillis, (now): boolean => {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && now - since > 600_000) rmSync(lock, { recursive: true, force: true })
    return false
  }
})

const locking = Effect.suspend(() => isInstalled() ? Effect.void : install).pipe(Effect.ensuring(Effect.sync(() => rmSync(lock, { recursive: true, force: true }))))

export const installed: Effect.Effect<void> = Effect.suspend(() =>
  isInstalled() ? Effect.void : Effect.flatMap(locked, (mine) => mine ? locking : Effect.andThen(Effect.sleep("500 millis"), installed)))

/** Runs a program of the clients' folder, with this Node. */
export const client = (path: string, ...args: ReadonlyArray<string>) => Effect.andThen(installed, run(process.execPath, [join(folder, path), ...args]))
