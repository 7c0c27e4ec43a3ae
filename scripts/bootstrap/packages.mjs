/** The packages of package-lock.json, all of them and nothing else, installed once for each version of that file. */
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
const fingerprint = (lock) =>
  createHash("sha256").update(`${process.platform} ${process.arch} `).update(lock).digest("hex")

/** What npm says it installed. npm writes this file last, and only when everything is in place. */
const installed = (root) => parse(read(join(root, "node_modules", ".package-lock.json")) ?? "")?.packages

const arePresent = (root, paths) => paths.every((path) => existsSync(join(root, path, "package.json")))

const isComplete = (root, lock) => {
  const marker = parse(read(join(root, MARKER)) ?? "")
  return marker?.fingerprint === fingerprint(lock) && arePresent(root, marker.packages)
}

const fits = (list, value) => list === undefined || list.includes(value) || (list.every((item) => item.startsWith("!")) && !list.includes(`!${value}`))

/** The C library that this Node runs on. Asked only when there is no marker: it takes a while to find out. */
const libc = () => (process.report?.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc")

/** Whether npm has already installed exactly this lock file, started by hand rather than by us. */
const isInstalledByHand = (root, lock) => {
  const have = installed(root)
  const want = parse(lock)?.packages
  if (have === undefined || want === undefined) return false
  const family = process.platform === "linux" ? libc() : undefined
  // An optional package that names no platform belongs to one that does, and is left out with it.
  const isForUs = ({ os, cpu, libc }) =>
    (os ?? cpu) !== undefined && fits(os, process.platform) && fits(cpu, process.arch) && (libc === undefined || fits(libc, family))
  const expected = Object.entries(want).filter(([path, entry]) => path.startsWith("node_modules/") && (!entry.optional || isForUs(entry)))
  return expected.every(([path, entry]) =>
    have[path] !== undefined && have[path].version === entry.version && have[path].integrity === entry.integrity
  ) && arePresent(root, Object.keys(have).filter((path) => path.startsWith("node_modules/")))
}

const vouch = (root, lock) => {
  const packages = Object.keys(installed(root) ?? {}).filter((path) => path.startsWith("node_modules/"))
  try {
    writeFileSync(join(root, MARKER), JSON.stringify({ fingerprint: fingerprint(lock), packages }))
  } catch {
    // A checkout that we may only read: the comparison is made again next time.
  }
}

export const ensurePackages = async (root) => {
  const lock = read(join(root, "package-lock.json"))
  const failed = (why) =>
    new Trouble(
      "Cannot install the packages",
      why,
      why.includes("in sync")
        ? "Run npm install and commit package-lock.json"
        : "Check the network and the free space, then start again"
    )
  if (lock === undefined) throw new Trouble("Cannot install the packages", "package-lock.json is missing", "Restore it with git checkout package-lock.json")
  if (isComplete(root, lock)) return
  if (isInstalledByHand(root, lock)) return vouch(root, lock)
  await withLock(join(root, ".node", "lock"), async () => {
    if (isComplete(root, lock)) return
    process.stderr.write("svc: installing the packages of package-lock.json (npm ci), once\n")
    rmSync(join(root, MARKER), { force: true })
    // Install scripts are not needed, and many machines block them. Development packages are part of this checkout in any case.
    const failure = await npm(["ci", "--ignore-scripts", "--include=dev", "--include=optional"], root)
    if (failure !== undefined) throw failed(failure)
    if (installed(root) === undefined) throw failed("npm ci ended without finishing, as it does on a full disk")
    vouch(root, lock)
  })
}
