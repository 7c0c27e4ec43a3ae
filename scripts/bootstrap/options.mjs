/** What Node is told besides the program: for the server how it uses memory, and that no signal opens a debugger. */
import { readFileSync } from "node:fs"

/** docs/decisions/0014 and 0018 say why. */
const SERVER = JSON.parse(readFileSync(new URL("server-options.json", import.meta.url), "utf8"))

const serves = (program, [command]) =>
  program === "packages/server/src/main.ts" || (program === "packages/cli/src/main.ts" && command === "serve")

/** V8 reads an underscore as a dash. */
const nameOf = (option) => option.split("=")[0].replaceAll("_", "-")

/** The options of the server, when it is the program; what the operator's NODE_OPTIONS set stays as it is. */
export const optionsFor = (program, args, nodeOptions = "") => {
  const set = new Set(nodeOptions.split(/\s+/).map(nameOf))
  return serves(program, args) ? SERVER.filter((option) => !set.has(nameOf(option))) : []
}
