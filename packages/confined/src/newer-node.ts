/** A Node.js whose permission model covers the network, for the children of the WebAssembly rung. */
import type { PackageGroup } from "@svc/platform/fetched/model"
import { dirname } from "node:path"

/** From version 25 on. */
export const CLOSES_NETWORK = Number(process.versions.node.split(".")[0]) >= 25

export const newerNode: PackageGroup = {
  name: "node",
  folder: `${dirname(import.meta.dirname)}/packages/node`,
  brings: "Bash and parsers in JavaScript without bubblewrap",
  megabytes: 211,
  instead: "bubblewrap"
}

const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
/** The packager of most has none for this Mac. */
const packageName = platform === "darwin-arm64" ? `node-bin-${platform}` : `node-${platform}`

export const nodeIn = (folder: string): string =>
  `${folder}/node_modules/${packageName}/bin/node${process.platform === "win32" ? ".exe" : ""}`
