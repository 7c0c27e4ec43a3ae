/** One package from npm in a folder of its own: for what only some machines or some commands need. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withLock } from "./lock.mjs"
import { npm } from "./run.mjs"
import { Trouble } from "./trouble.mjs"

/** A project of one package: `npm ci` installs it, runs no scripts, and refuses anything but the bytes of that hash. */
const install = ({ name, version, integrity }, folder) => {
  const manifest = { name: "svc-fetched", private: true, dependencies: { [name]: version } }
  const lock = { ...manifest, lockfileVersion: 3, packages: { "": manifest, [`node_modules/${name}`]: { version, integrity } } }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock))
  return npm(["ci", "--ignore-scripts", "--prefix", folder], folder)
}

/**
 * Fetches the package unless the folder has it. `title` and `reason` are for the person who waits, `advice` ends an error. `problem` gives
 * the reason why what was installed does not run, or undefined: on a full disk npm may end as if all were well.
 */
export const ensureFetched = async (root, folder, wanted, { advice, problem, reason, title }) => {
  const { integrity, name } = wanted
  // Written last, so that an interrupted download is not taken for the package.
  const marker = join(folder, "ready")
  const isReady = () => {
    try {
      return readFileSync(marker, "utf8") === integrity && readFileSync(join(folder, "node_modules", name, "package.json")).length > 0
    } catch {
      return false
    }
  }
  if (isReady()) return
  await withLock(join(root, ".node", "lock"), async () => {
    if (isReady()) return
    process.stderr.write(`svc: ${reason}; fetching ${title} into .node, once\n`)
    mkdirSync(folder, { recursive: true })
    rmSync(marker, { force: true })
    const why = await install(wanted, folder) ?? problem()
    if (why !== undefined) throw new Trouble(`Cannot fetch ${title}`, why, advice)
    writeFileSync(marker, integrity)
  })
}
