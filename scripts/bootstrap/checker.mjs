/**
 * TypeScript with Effect's own diagnostics, with the arguments of `tsc`. It has 143 MB, so the command that needs it fetches it into this
 * checkout, and no installation has it.
 *
 *   node scripts/bootstrap/checker.mjs --noEmit --project tsconfig.json
 */
import { spawnSync } from "node:child_process"
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

/** On other platforms npm finds the package that fits, without a hash that we know. */
const elsewhere = [
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

const main = async (args) => {
  const integrity = PACKAGES[key]
  if (integrity === undefined) {
    const npm = process.env.npm_execpath
    return npm === undefined ? run("npm", elsewhere, process.env) : run(process.execPath, [npm, ...elsewhere], process.env)
  }
  const name = `@effect/tsgo-${key}`
  const folder = join(root, ".node", "checker")
  const program = join(folder, "node_modules", name, "lib", "tsc")
  await ensureFetched(root, folder, { name, version: VERSION, integrity }, {
    reason: "types are checked by a package that no other command needs",
    title: `${name} ${VERSION}`,
    problem: () => spawnSync(program, ["--version"]).status === 0 ? undefined : `${program} does not run`,
    advice: "Check the network and the free space"
  })
  return run(program, args, process.env)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Trouble) && error.syscall === undefined) throw error
  process.stderr.write(`svc: ${error.message}\n`)
  process.exitCode = error.exitCode ?? 1
}
