/**
 * Checks the types of all packages, with Effect's own diagnostics. The checker is the TypeScript of package-lock.json with these in it. It
 * has 143 MB, so the command that needs it fetches it into this checkout, and no installation has it.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { ensureFetched } from "./fetch.mjs"
import { run } from "./run.mjs"
import { Trouble } from "./trouble.mjs"

const VERSION = "0.45.0"

/** The platforms that the registry has the package for, with the hash that npm has to find. */
const PACKAGES = {
  "linux-x64": "sha512-aWt0G8celAxJOis4+xiILkyMP/3J+vukimUhSoCmUAPt8zoT9qhZcN64XYZE7jfqp88ByRdgN9GK1/C7YfPtcQ=="
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const key = `${process.platform}-${process.arch}`

// One checker: each of several works the types of all packages out anew, which takes twice the processor time and no less by the clock on
// two cores, which this check and the others use side by side.
const ARGUMENTS = ["--noEmit", "--project", "tsconfig.json", "--singleThreaded"]

/** On other platforms npm finds the package that fits, without a hash that we know: it tells Effect's diagnostics alone. */
const DIAGNOSTICS = [
  "exec",
  "--yes",
  "--ignore-scripts",
  `--package=@effect/tsgo@${VERSION}`,
  "--",
  "effect-tsgo",
  "diagnostics",
  "--project",
  "tsconfig.json",
  "--severity",
  "error,warning",
  "--strict"
]

const typescript = join(root, "node_modules", "typescript")

/** TypeScript, and then the diagnostics. */
const oneByOne = async () => {
  const code = await run(process.execPath, [join(typescript, "bin", "tsc"), ...ARGUMENTS], process.env)
  if (code !== 0) return code
  const npm = process.env.npm_execpath
  return npm === undefined ? run("npm", DIAGNOSTICS, process.env) : run(process.execPath, [npm, ...DIAGNOSTICS], process.env)
}

/** Why the program cannot stand for TypeScript, or undefined: it says which version it was made of, as `7.0.2+effect-tsgo.0.45.0`. */
const problemOf = (program) => {
  const { error, status, stdout } = spawnSync(program, ["--version"], { encoding: "utf8" })
  if (error !== undefined || status !== 0) return `${program} does not run`
  const { version } = JSON.parse(readFileSync(join(typescript, "package.json"), "utf8"))
  return stdout.includes(` ${version}+`) ? undefined : `it says ${stdout.trim()}, and package-lock.json has TypeScript ${version}`
}

const main = async () => {
  const integrity = PACKAGES[key]
  if (integrity === undefined) return oneByOne()
  const name = `@effect/tsgo-${key}`
  const folder = join(root, ".node", "checker")
  const program = join(folder, "node_modules", name, "lib", "tsc")
  await ensureFetched(root, folder, { name, version: VERSION, integrity }, {
    reason: "types are checked by a package that no other command needs",
    title: `${name} ${VERSION}`,
    problem: () => problemOf(program),
    advice: "Check the network and the free space"
  })
  const problem = problemOf(program)
  if (problem !== undefined) {
    throw new Trouble(`Cannot check types with ${name} ${VERSION}`, problem, "Change VERSION in scripts/bootstrap/checker.mjs, too")
  }
  return run(program, ARGUMENTS, process.env)
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Trouble) && error.syscall === undefined) throw error
  process.stderr.write(`svc: ${error.message}\n`)
  process.exitCode = error.exitCode ?? 1
}
