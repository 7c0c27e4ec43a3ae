/**
 * The packages of package-lock.json and nothing else, installed once for each version of that file. A server needs no development
 * packages, which are added when a command first needs them: what a running server may still load is neither removed nor replaced.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withLock } from "./lock.mjs"
import { npm } from "./run.mjs"
import { Trouble } from "./trouble.mjs"

/** Inside node_modules, so that it goes with what it vouches for. */
const MARKER = join("node_modules", ".svc-installed.json")

const read = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

const parse = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Same lock file on another platform means other binaries, such as in a folder shared with a container. */
const fingerprint = (lock) => createHash("sha256").update(`${process.platform} ${process.arch} `).update(lock).digest("hex")

/** What npm says it installed. npm writes this file last, and only when everything is in place. */
const installed = (root) => parse(read(join(root, "node_modules", ".package-lock.json")) ?? "")?.packages

const arePresent = (root, paths) => paths.every((path) => existsSync(join(root, path, "package.json")))

/** Which packages are in place: "all", "production", or undefined when something is missing or belongs to another lock file. */
const inPlace = (root, lock) => {
  const marker = parse(read(join(root, MARKER)) ?? "")
  if (marker?.fingerprint !== fingerprint(lock) || !arePresent(root, marker.packages)) return undefined
  return marker.scope
}

/** Whether what is in place suffices. All packages are also those of production. */
const suffices = (have, scope) => have === "all" || have === scope

const fits = (list, value) =>
  list === undefined || list.includes(value) || (list.every((item) => item.startsWith("!")) && !list.includes(`!${value}`))

/** The C library that this Node runs on. Asked only when there is no marker: it takes a while to find out. */
const libc = () => (process.report?.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc")

/** Whether npm has already installed these packages of exactly this lock file, be it by hand or for us. */
const isInstalled = (root, lock, scope) => {
  const have = installed(root)
  const want = parse(lock)?.packages
  if (have === undefined || want === undefined) return false
  const family = process.platform === "linux" ? libc() : undefined
  // An optional package that names no platform belongs to one that does, and is left out with it.
  const isForUs = ({ os, cpu, libc }) =>
    (os ?? cpu) !== undefined && fits(os, process.platform) && fits(cpu, process.arch) && (libc === undefined || fits(libc, family))
  const expected = Object.entries(want).filter(([path, entry]) =>
    path.startsWith("node_modules/") && (scope === "all" || !entry.dev) && (!entry.optional || isForUs(entry))
  )
  return expected.every(([path, entry]) =>
    have[path] !== undefined && have[path].version === entry.version && have[path].integrity === entry.integrity
  ) && arePresent(root, Object.keys(have).filter((path) => path.startsWith("node_modules/")))
}

const vouch = (root, lock, scope) => {
  const packages = Object.keys(installed(root) ?? {}).filter((path) => path.startsWith("node_modules/"))
  try {
    writeFileSync(join(root, MARKER), JSON.stringify({ fingerprint: fingerprint(lock), scope, packages }))
  } catch {
    // A checkout that we may only read: the comparison is made again next time.
  }
}

/** Install scripts are not needed, and many machines block them. */
const always = ["--ignore-scripts", "--include=optional"]

/** From nothing: what lies in node_modules is removed. */
const install = (root, scope) => npm(["ci", ...always, scope === "all" ? "--include=dev" : "--omit=dev"], root)

/** Beside what is there: `npm install` leaves packages of the right version alone, and may not write the lock file. */
const add = (root) => npm(["install", "--no-save", ...always, "--include=dev"], root)

/** Makes sure of the packages of one scope: "production" for a server, "all" for whatever else. */
export const ensurePackages = async (root, scope) => {
  const lock = read(join(root, "package-lock.json"))
  const failed = (why) =>
    new Trouble(
      "Cannot install the packages",
      why,
      why.includes("in sync")
        ? "Run npm install and commit package-lock.json"
        : "Check the network and the free space, then start again"
    )
  if (lock === undefined) {
    throw new Trouble("Cannot install the packages", "package-lock.json is missing", "Restore it with git checkout package-lock.json")
  }
  if (suffices(inPlace(root, lock), scope)) return
  if (isInstalled(root, lock, scope)) return vouch(root, lock, scope)
  await withLock(join(root, ".node", "lock"), async () => {
    const have = inPlace(root, lock)
    if (suffices(have, scope)) return
    const adds = have === "production"
    process.stderr.write(
      adds
        ? "svc: adding the development packages of package-lock.json (npm install), once\n"
        : `svc: installing the ${scope === "all" ? "" : "production "}packages of package-lock.json (npm ci), once\n`
    )
    if (!adds) rmSync(join(root, MARKER), { force: true })
    const failure = await (adds ? add(root) : install(root, scope))
    if (failure !== undefined) throw failed(failure)
    if (installed(root) === undefined) throw failed("npm ended without finishing, as it does on a full disk")
    // npm install takes what package.json says where the lock file says something else.
    if (adds && !isInstalled(root, lock, scope)) {
      throw failed("package.json and package-lock.json are not in sync, or npm ended without finishing")
    }
    vouch(root, lock, scope)
  })
}

/** What operators run. */
const OPERATED = ["packages/server/src/main.ts", "packages/cli/src/main.ts"]

/** The packages that a program of this repository needs. */
export const scopeFor = (program) => OPERATED.includes(program) ? "production" : "all"
