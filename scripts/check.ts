/**
 * Runs the checks that need no database, and reports each:
 *
 *   npm run check            all of them
 *   npm run lint             some, by name
 */
import { spawn } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const program = (path: string) => join(root, "node_modules", path)

interface Check {
  readonly says: string
  readonly command: () => ReadonlyArray<string>
}

const checks: Readonly<Record<string, Check>> = {
  types: {
    says: "TypeScript",
    command: () => [program("typescript/bin/tsc"), "--noEmit", "--project", "tsconfig.json"]
  },
  effect: {
    says: "Effect's own diagnostics: floating effects, leaked requirements, outdated names",
    command: () => `${program("@effect/tsgo/dist/effect-tsgo.cjs")} diagnostics --project tsconfig.json --format text --severity error,warning --strict`.split(" ")
  },
  lint: {
    says: "oxlint",
    command: () => [program("oxlint/bin/oxlint"), "--format=unix", "--report-unused-disable-directives", ...globSync("{packages,scripts}", { cwd: root }), "vitest.workspace.ts"]
  },
  direction: {
    says: "imports, by floor and role",
    command: () => ["scripts/check-direction.ts"]
  },
  generated: {
    says: "derived files",
    command: () => ["scripts/generate.ts", "--check"]
  }
}

interface Outcome {
  readonly output: string
  readonly passed: boolean
}

const run = ({ command }: Check): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, command(), { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)))
    child.once("error", (error) => resolve({ output: error.message, passed: false }))
    child.once("close", (code) => resolve({ output, passed: code === 0 }))
  })

const main = async (names: ReadonlyArray<string>): Promise<number> => {
  const unknown = names.filter((name) => checks[name] === undefined)
  if (unknown.length > 0) {
    console.error(`There is no check called ${unknown.join(", ")}. There are: ${Object.keys(checks).join(", ")}.`)
    return 2
  }
  const chosen = Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name))
  let failed = 0
  for (const [name, check] of chosen) {
    const { output, passed } = await run(check)
    if (!passed) failed++
    console.log(`${passed ? "passed" : "FAILED"}  ${name} (${check.says})`)
    const text = output.trim()
    if (text !== "") console.log(text.replaceAll(/^/gm, "        "))
  }
  console.log(`checks: ${chosen.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
