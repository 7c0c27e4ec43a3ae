/**
 * The clients that agents use, and the suites that judge servers. They are several hundred packages that no user of this service needs, so
 * they have a lock file of their own in `packages/testkit/clients`. They are installed when a test asks for the first of them, once for
 * each version of that file in a folder that all checkouts of this machine share.
 */
import { cacheFolder } from "@svc/platform/database/embedded/binaries"
import { Clock, Effect, Fiber } from "effect"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs"
import { join } from "node:path"

export const folder = join(import.meta.dirname, "../../clients")

/** Their programs find the packages by this link. */
const link = join(folder, "node_modules")

const key = (): string =>
  createHash("sha256").update(`${process.platform} ${process.arch} `).update(readFileSync(join(folder, "package-lock.json"))).digest("hex")
    .slice(0, 16)

/** Where the packages lie. A folder that belongs to somebody else could hold other programs: then it is one of this checkout. */
const shared = (): string => {
  const cache = cacheFolder()
  try {
    mkdirSync(cache, { recursive: true })
    if (statSync(cache).uid === (process.getuid?.() ?? statSync(cache).uid)) return join(cache, `clients-${key()}`)
  } catch {
    // Nothing can be written there.
  }
  return join(import.meta.dirname, "../../../../.node", `clients-${key()}`)
}

const isLinked = (place: string): boolean =>
  lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true && readlinkSync(link) === join(place, "node_modules")

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export const run = (command: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, cwd = folder) =>
  Effect.callback<Ended>((resume) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
    let stdout = ""
    let stderr = ""
    child.stdout.on("data", (chunk) => void (stdout += String(chunk)))
    child.stderr.on("data", (chunk) => void (stderr += String(chunk)))
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    return Effect.sync(() => void child.kill())
  })

/**
 * Nothing is installed that the lock file has no hash of; the packages' own scripts do not run. Two of them ask for versions of a third
 * that do not fit. What is complete gets its name, so a folder of that name is whole.
 */
const install = Effect.fnUntraced(function*(place: string) {
  const fresh = `${place}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(folder, file), join(fresh, file))
  const npm = process.env["npm_execpath"]
  const [program = "npm", ...first] = npm === undefined ? ["npm"] : [process.execPath, npm]
  const { code, stderr } = yield* run(
    program,
    [...first, "ci", "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {},
    fresh
  )
  if (code !== 0) {
    return yield* Effect.die(new Error(`The clients of packages/testkit/clients cannot be installed: ${stderr.slice(-2_000)}`))
  }
  renameSync(fresh, place)
})

/**
 * Several test files may ask at once: the first one installs, and a folder that was left behind by one that was killed counts for nothing
 * after ten minutes.
 */
const locked = (lock: string) =>
  Effect.map(Clock.currentTimeMillis, (now): boolean => {
    try {
      mkdirSync(lock)
      return true
    } catch {
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
      if (since !== undefined && now - since > 600_000) rmSync(lock, { recursive: true, force: true })
      return false
    }
  })

const linking = (place: string) =>
  Effect.gen(function*() {
    if (!existsSync(place)) yield* install(place)
    if (isLinked(place)) return
    // The link to another version, or what was installed here before there was a link.
    rmSync(link, { recursive: true, force: true })
    symlinkSync(join(place, "node_modules"), link, "junction")
  })

export const installed: Effect.Effect<void> = Effect.suspend(() => {
  const place = shared()
  if (existsSync(place) && isLinked(place)) return Effect.void
  const lock = `${place}.lock`
  return Effect.flatMap(locked(lock), (mine) =>
    mine
      // A test that no longer waits does not end the installation: others do.
      ? Effect.flatMap(
        Effect.forkDetach(Effect.ensuring(linking(place), Effect.sync(() => rmSync(lock, { recursive: true, force: true })))),
        Fiber.join
      )
      : Effect.andThen(Effect.sleep("500 millis"), installed))
})

/** Runs a program of the clients' folder, with this Node. */
export const client = (path: string, ...args: ReadonlyArray<string>) =>
  Effect.andThen(installed, run(process.execPath, [join(folder, path), ...args]))
