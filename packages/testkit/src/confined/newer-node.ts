/** A Node.js whose permission model covers the network, for the tests of parsers without bubblewrap. They are skipped where none is. */
import { cacheFolder } from "@svc/platform/database/embedded/binaries"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"

const VERSION = "26.10.0"
const NAME = `node-${process.platform}-${process.arch}`

export const NEWER_NODE_MISSING = `skipped: there is no Node.js of version 25 or newer here. Name one in CONFINED_NODE`

/** That of `CONFINED_NODE`, the one that runs, or one from npm, which a machine that only runs tests fetches once. */
export const newerNodePath = (): string | undefined => {
  const named = process.env["CONFINED_NODE"]
  if (named !== undefined) return named
  if (Number(process.versions.node.split(".")[0]) >= 25) return process.execPath
  const folder = join(cacheFolder(), `${NAME}-${VERSION}`)
  const path = join(folder, "node_modules", NAME, "bin/node")
  if (process.env["CI"] !== undefined && process.platform === "linux" && !existsSync(path)) {
    spawnSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, `${NAME}@${VERSION}`], {
      stdio: "ignore"
    })
  }
  return existsSync(path) ? path : undefined
}
