import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { Ajv2020 } from "ajv/dist/2020.js"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { walkingOne } from "../../facts/grammars.ts"
import { makeProject } from "../../facts/project.ts"
import type { Texts } from "../../testing/measures.ts"
import { projectIn } from "../../testing/repository.ts"
import { bicycles, boaster, concerts } from "../stores.fixture.ts"
import { engineerArtifacts } from "./artifacts.ts"
import { forms } from "./endpoint.ts"
import { spendingWindows } from "./guard.ts"

const guards = [{}, { budget_per_run_cents: 5000, spending_window: "daily" }] as const

const hasPython = spawnSync("python3", ["--version"]).status === 0

/** Fails where the language's own compiler or, for Go, its grammar finds a mistake. */
const compiles = async (path: string, text: string) => {
  if (path.endsWith(".go")) return assert.isFalse(await walkingOne("go", text, (tree) => tree.rootNode.hasError), path)
  const folder = mkdtempSync(join(tmpdir(), "svc-endpoint-"))
  const file = join(folder, path.replace(/^.*\//u, "").replace(/\.js$/u, ".mjs"))
  writeFileSync(file, text)
  try {
    if (path.endsWith(".py")) execFileSync("python3", ["-c", "import sys; compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')", file])
    else execFileSync(process.execPath, ["--check", file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("an endpoint", () => {
  for (const [framework, { path, text }] of Object.entries(forms)) {
    it.skipIf(path.endsWith(".py") && !hasPython)(`for ${framework} compiles with each guard`, async () => {
      for (const guard of guards) await compiles(path, text(guard))
    })
  }

  const endpointOf = async (texts: Texts) => engineerArtifacts(await projectIn(texts), {})[0]

  it("is for the framework that the project has, and says where", async () => {
    const [express, fastapi, node] = [await endpointOf(bicycles), await endpointOf(concerts), await endpointOf(boaster)]
    assert.deepInclude(express, { path: "agent-endpoint/purchases.mjs" })
    assert.match(express?.artifact.text ?? "", /^\/\/ For express: `POST \/bicycles\/:sku\/buy` \(src\/server.ts:17/u)
    assert.deepInclude(fastapi, { path: "agent-endpoint/purchases.py" })
    assert.match(fastapi?.artifact.text ?? "", /^# For fastapi: .* \(concerts\/api.py:15/u)
    assert.match(node?.artifact.text ?? "", /^\/\/ No framework that serves HTTP, so plain Node. Searched: 1 file.\n.*createServer/u)
  })

  it("cannot be written into by a repository's names", async () => {
    const evil = "x */ process.exit() //\\u2028\nprocess.exit()"
    const endpoint = await endpointOf({ "src/a.ts": `import express from "express"\napp.get("/${evil.replace("\n", "\\n")}", x)\n` })
    await compiles("a.mjs", endpoint?.artifact.text ?? "")
    assert.notMatch(endpoint?.artifact.text ?? "", /^process\.exit/mu)
  })

  it("has the budget and the window that the caller gave, and asks its environment otherwise", () => {
    for (const spending_window of spendingWindows) {
      for (const { text } of Object.values(forms)) assert.include(text({ budget_per_run_cents: 7321, spending_window }), "7321")
    }
    for (const { text } of Object.values(forms)) assert.include(text({}), "AGENT_BUDGET_CENTS")
  })
})

describe("a sandbox test", () => {
  it("compiles, needs no package, and buys what the project sells within the budget", async () => {
    const textWith = async (budget_per_run_cents: number) =>
      engineerArtifacts(await projectIn(bicycles), { budget_per_run_cents })[1]?.artifact.text ?? ""
    const text = await textWith(20_000)
    await compiles("test.mjs", text)
    assert.deepStrictEqual(Array.from(text.matchAll(/from "([^"]+)"/gu), ([, module]) => module), ["node:crypto"])
    assert.match(text, /^\/\/ Buys `bell-1` \(src\/catalog.json:3\)/u)
    assert.include(text, `const order = { amount: 1500, currency: "EUR" }`)
    assert.include(await textWith(100), `const order = { amount: 100, currency: "USD" }`)
  })
})

describe("an evidence pack", () => {
  it("keeps its schema, whatever the project", async () => {
    for (const project of [await projectIn(bicycles), await projectIn(concerts), makeProject({ project_name: "nothing" }, [])]) {
      for (const guard of guards) {
        const [pack, schema] = engineerArtifacts(project, guard).slice(2).map(({ artifact }) => parseJson(artifact.text) as object)
        const validate = new Ajv2020().compile(schema ?? {})
        assert.isTrue(validate(pack), JSON.stringify(validate.errors))
        assert.isFalse(validate({ ...pack, score: 101 }))
      }
    }
  })

  it("shows the lines of what answers a dispute", async () => {
    const project = await projectIn({
      "a.ts":
        "export const evidence = { device_id, ip_address, shipping_address, tracking_number }\nexport const c = card.checks.cvc_check\n"
    })
    const pack = parseJson(engineerArtifacts(project, {})[2]?.artifact.text ?? "") as object
    assert.nestedPropertyVal(pack, "dispute.evidence.hasDeliveryProof", true)
    assert.nestedPropertyVal(pack, "dispute.evidence.hasCvvMatch", true)
    assert.nestedPropertyVal(pack, "dispute.evidence.hasAvsMatch", false)
    assert.nestedPropertyVal(pack, "dispute.evidence.matchingDataElements", 3)
  })
})
