/**
 * Runs the checks that need no database, and reports each:
 *
 *   npm run check                all of them
 *   npm run lint                 some, by name
 *   npm run check -- spectral    one that is not among all, because it fetches packages of its own, as publint and attw do
 */
import { spawn } from "node:child_process"
import { globSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const program = (path: string) => join(root, "node_modules", path)

interface Check {
  readonly says: string
  /** The arguments of Node. */
  readonly command: () => ReadonlyArray<string>
  /** Runs only when it is named. */
  readonly byHand?: true
}

/** Runs a program of packages that are not among those of this checkout. */
const elsewhere = (
  packages: string,
  ...command: ReadonlyArray<string>
): ReadonlyArray<string> => [
  process.env["npm_execpath"] ?? "npm",
  "exec",
  "--yes",
  "--ignore-scripts",
  `--package=${packages}`,
  "--",
  ...command
]

const checks: Readonly<Record<string, Check>> = {
  types: {
    says: "TypeScript, and Effect's own diagnostics: floating effects, leaked requirements, outdated names",
    command: () => ["scripts/bootstrap/checker.mjs"]
  },
  lint: {
    says: "oxlint",
    command: () => [
      program("oxlint/bin/oxlint"),
      "--format=unix",
      "--report-unused-disable-directives",
      ...globSync("{packages,scripts}", { cwd: root }),
      "vitest.workspace.ts"
    ]
  },
  direction: {
    says: "imports, by floor and role",
    command: () => ["scripts/check-direction.ts"]
  },
  format: {
    says: "the layout of code; npm run format writes it",
    command: () => ["scripts/format.ts", "--check"]
  },
  form: {
    says: "lengths of lines, functions and lists of parameters",
    command: () => ["scripts/check-form.ts"]
  },
  patterns: {
    says: "regular expressions over texts of strangers take linear time, by recheck",
    command: () => ["scripts/check-patterns.ts"]
  },
  generated: {
    says: "derived files",
    command: () => ["scripts/generate.ts", "--check"]
  },
  openapi: {
    says: "the OpenAPI document by Redocly's rules",
    command: () => [program("@redocly/cli/bin/cli.js"), "lint", "--config", "scripts/openapi/redocly.yaml", "docs/openapi.json"]
  },
  spectral: {
    says: "the OpenAPI document by Spectral's rules",
    command: () =>
      elsewhere(
        "@stoplight/spectral-cli@6.16.3",
        "spectral",
        "lint",
        "--ruleset",
        "scripts/openapi/spectral.yaml",
        "--fail-severity",
        "hint",
        "docs/openapi.json"
      ),
    byHand: true
  },
  publint: {
    says: "the package of the client; npm run build:client makes it",
    command: () => elsewhere("publint@0.3.25", "publint", "dist/client", "--strict"),
    byHand: true
  },
  attw: {
    says: "its declarations, as each kind of project resolves them",
    command: () => elsewhere("@arethetypeswrong/cli@0.18.5", "attw", "--pack", "dist/client", "--profile", "esm-only"),
    byHand: true
  }
}

/** How oxlint marks what it reports and does not fail for. */
const WARNING = /\[Warning\//

interface Outcome {
  readonly output: string
  readonly passed: boolean
}

/** Programs that would tell their makers about each run, or ask them for news, do not. */
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }

/** So many checks run at once: types, the longest, on one core, the others on another. */
const AT_ONCE = Math.min(2, availableParallelism())

const run = ({ command }: Check): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, command(), { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)))
    child.once("error", (error) => resolve({ output: error.message, passed: false }))
    child.once("close", (code) => resolve({ output, passed: code === 0 }))
  })

/** Starts the checks in their order, and some at once. */
const started = (chosen: ReadonlyArray<readonly [string, Check]>) => {
  const waiting = chosen.map(([name, check]) => ({ name, check, ...Promise.withResolvers<Outcome>() }))
  const left = waiting.values()
  const work = async () => {
    for (const { check, resolve } of left) resolve(await run(check))
  }
  for (let n = 0; n < AT_ONCE; n++) void work()
  return waiting.map(({ check, name, promise }) => ({ name, check, outcome: promise }))
}

const main = async (names: ReadonlyArray<string>): Promise<number> => {
  const unknown = names.filter((name) => checks[name] === undefined)
  if (unknown.length > 0) {
    console.error(`There is no check called ${unknown.join(", ")}. There are: ${Object.keys(checks).join(", ")}.`)
    return 2
  }
  const chosen = Object.entries(checks).filter(([name, { byHand }]) => names.length === 0 ? byHand !== true : names.includes(name))
  let [failed, warned] = [0, 0]
  for (const { check, name, outcome } of started(chosen)) {
    const { output, passed } = await outcome
    if (!passed) failed++
    const hasWarnings = WARNING.test(output)
    if (passed && hasWarnings) warned++
    console.log(`${!passed ? "FAILED" : hasWarnings ? "warned" : "passed"}  ${name} (${check.says})`)
    const text = output.trim()
    if (text !== "") console.log(text.replaceAll(/^/gm, "        "))
  }
  console.log(`checks: ${chosen.length - failed - warned} passed, ${warned} passed with warnings, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
