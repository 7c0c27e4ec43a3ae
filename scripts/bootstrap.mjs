/**
 * Runs one TypeScript program of this repository, and first makes sure that it can run: a Node that is new enough, and the packages
 * of package-lock.json. A fresh clone needs nothing but npm, and every later start costs a few milliseconds.
 *
 *   node scripts/bootstrap.mjs <program> [arguments]
 *
 * Plain JavaScript for Node 18 and later, because this is what runs before anything is installed.
 */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { ensureNode } from "./bootstrap/node.mjs"
import { optionsFor } from "./bootstrap/options.mjs"
import { ensurePackages, scopeFor } from "./bootstrap/packages.mjs"
import { run } from "./bootstrap/run.mjs"
import { Trouble } from "./bootstrap/trouble.mjs"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const main = async ([program, ...args]) => {
  if (program === undefined) {
    throw new Trouble("Nothing to run", "no program was named", "Use one of the scripts in package.json, such as npm start")
  }
  const node = await ensureNode(root)
  await ensurePackages(root, scopeFor(program))
  const cache = join(root, ".node", "cache")
  return run(node, [
    "--disable-warning=ExperimentalWarning",
    ...optionsFor(program, args, process.env.NODE_OPTIONS),
    join(root, program),
    ...args
  ], {
    ...process.env,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? cache
  })
}

/** The file system's own refusals, such as a full disk, are for the person at the keyboard too. */
const asTrouble = (error) =>
  error instanceof Trouble
    ? error
    : new Trouble("Cannot prepare this checkout", error.message, "Check the free space and the permissions here, then start again")

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Trouble) && error.syscall === undefined) throw error
  const trouble = asTrouble(error)
  process.stderr.write(`svc: ${trouble.message}\n`)
  process.exitCode = trouble.exitCode
}
