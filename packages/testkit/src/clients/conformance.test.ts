/**
 * The protocol's own suites, in the released version and in the one to come, against the transports as they stand.
 * docs/evidence/conformance.md holds the score.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Console, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { profile } from "./conformance/profile.ts"
import { client } from "./install.ts"
import { base, toolServer } from "./listener.ts"

const RELEASED = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
const NEXT = "node_modules/conformance-next/dist/index.js"

const suites = [
  { suite: "0.1.16, all scenarios", program: RELEASED, args: ["--suite", "all"] },
  { suite: "0.2.0-alpha.12, requirements of 2025-11-25", program: NEXT, args: ["--requirements", "2025-11-25"] },
  { suite: "0.2.0-alpha.12, requirements of 2026-07-28", program: NEXT, args: ["--requirements", "2026-07-28"] }
]

const evidence = readFileSync(join(import.meta.dirname, "../../../../docs/evidence/conformance.md"), "utf8")

/** What the protocol's extensions would ask besides is run and told, and no part of the score. */
const notScored = (stdout: string): ReadonlySet<string> =>
  new Set(Array.from(stdout.matchAll(/^ {2}[✓✗] (\S+) \(/gmu), ([, scenario = ""]) => scenario))

const scored = (stdout: string) => {
  const beside = notScored(stdout)
  const rows = Array.from(
    stdout.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed/gmu),
    ([, , scenario = "", passed, failed]) => ({ scenario, passed: Number(passed), failed: Number(failed) })
  )
    .filter(({ scenario }) => !beside.has(scenario))
  return {
    scenarios: rows.length,
    checks: rows.reduce((sum, { passed }) => sum + passed, 0),
    failing: rows.filter(({ failed }) => failed > 0).map(({ scenario }) => scenario)
  }
}

describe("the conformance suites", () => {
  layer(toolServer.pipe(Layer.provide(profile)), { excludeTestServices: true, timeout: "120 seconds" })("find nothing", (it) => {
    it.effect.each(suites)("$suite", ({ args, program, suite }) =>
      Effect.gen(function*() {
        // The suite's check of the Host header wants this name.
        const url = (yield* base).replace("127.0.0.1", "localhost")
        const { code, stderr, stdout } = yield* client(program, "server", "--url", `${url}/mcp`, ...args)
        const { checks, failing, scenarios } = scored(stdout)
        yield* Console.log(`${suite}: ${scenarios} scenarios, ${checks} checks passed, failing: ${failing.join(", ") || "none"}`)
        assert.deepStrictEqual(failing, [])
        assert.strictEqual(code, 0, stderr)
        assert.include(evidence, `| ${suite} | ${scenarios} | ${checks} | 0 |`)
      }), 300_000)
  })
})
