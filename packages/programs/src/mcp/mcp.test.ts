import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse as parseYaml } from "yaml"
import type { Artifact } from "../claims/model.ts"
import { makeProject } from "../facts/project.ts"
import { programs } from "../programs.ts"
import { projectIn } from "../testing/repository.ts"
import { operationsOf, pathParameters } from "./operations.ts"
import { mcp } from "./program.ts"
import { shop } from "./shop.fixture.ts"

const project = makeProject({ project_name: "shop" }, shop)
const empty = makeProject({ project_name: "empty" }, [])

const artifactOf = (path: string, of = project): Artifact =>
  mcp.artifacts.find((artifact) => artifact.path === path)?.make(of) ?? assert.fail(`no artifact ${path}`)
const valueOf = (path: string, of = project): unknown => {
  const { text } = artifactOf(path, of)
  return path.endsWith(".json") ? JSON.parse(text) : parseYaml(text)
}

describe("the program mcp", () => {
  it("makes what the contract lists, in its order", () => {
    const listed = programs.find(({ name }) => name === "mcp")?.artifacts.map(({ path }) => path)
    assert.deepStrictEqual(mcp.artifacts.map(({ path }) => path), listed)
  })

  it.each(mcp.artifacts.map(({ path }) => path))("says of a repository without evidence in %s what it searched", (path) => {
    const { citations, evidence, text } = artifactOf(path, empty)
    assert.deepStrictEqual([evidence, citations], ["none", []])
    assert.isAtMost(text.split("\n").length, 15)
    assert.match(text, /searched/iu)
    if (/\.(?:json|yaml)$/u.test(path)) assert.isObject(valueOf(path, empty))
  })

  it("takes routes of sources for tools, and says what each does to the world by its method", () => {
    const tools = operationsOf(project).map(({ effects, parameters, tool }) => [tool, parameters.map(({ name }) => name), effects])
    assert.deepStrictEqual(tools, [
      ["delete_orders_id", ["id"], { readOnly: false, destructive: true, idempotent: true }],
      ["get_orders", [], { readOnly: true, destructive: false, idempotent: true }],
      ["post_orders_id_refund", ["id"], { readOnly: false, destructive: false, idempotent: false }]
    ])
  })

  it.each([
    ["/a/:id", ["id"]],
    ["/a/{id}/b/{*rest}", ["id", "rest"]],
    ["/a/<int:page>", ["page"]],
    ["/app/[slug]/[...parts]", ["slug", "parts"]],
    ["/plain", []]
  ])("reads the parameters of %s", (path, names) => {
    assert.deepStrictEqual(pathParameters(path).map(({ name }) => name), names)
  })

  it("takes exported functions of entries where there is neither route nor command", () => {
    const library = makeProject(
      { project_name: "library" },
      shop.map(({ facts, path }) => ({
        path,
        facts: facts.filter(({ kind }) => kind !== "route")
      }))
    )
    assert.deepStrictEqual(operationsOf(library).map(({ kind, tool }) => `${kind} ${tool}`), [
      "function listorders",
      "function refundorder"
    ])
  })

  it("names places in Markdown, and in what has no room for them beside it", () => {
    assert.include(artifactOf("protocol-spec.md").text, "`refundOrder` throws `OrderNotFound`: no order of that id (`src/orders.ts:12`)")
    assert.include(artifactOf("mcp/fintech-mcp-surface-package.md").text, "`Order.amount` is a `number`. (`src/orders.ts:22-27`)")
    assert.deepInclude(artifactOf("mcp-config.json").citations, {
      at: "/mcpServers/shop",
      path: "package.json",
      start_line: 2,
      end_line: 2
    })
    assert.deepEqual(valueOf("mcp-config.json"), {
      mcpServers: { shop: { command: "npx", args: ["-y", "shop"], env: { STRIPE_API_KEY: "" } } }
    })
  })

  it("writes types that TypeScript takes with --strict", () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-types-"))
    try {
      writeFileSync(join(folder, "spec.types.ts"), artifactOf("spec.types.ts").text)
      writeFileSync(join(folder, "none.types.ts"), artifactOf("spec.types.ts", empty).text)
      const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace("package.json", "bin/tsc")
      const files = ["spec.types.ts", "none.types.ts"].map((name) => join(folder, name))
      execFileSync(process.execPath, [tsc, "--strict", "--noEmit", "--isolatedModules", "--ignoreConfig", ...files], { encoding: "utf8" })
    } finally {
      rmSync(folder, { recursive: true })
    }
    assert.include(artifactOf("spec.types.ts").text, "  readonly \"kebab-name\": unknown\n")
  })

  it("asks for no variable that tests alone read, and names the line of a runtime", async () => {
    const set = await projectIn({
      "package.json": JSON.stringify({ name: "shop", engines: { node: ">=20" } }, null, 2),
      "src/key.test.js": "export const a = process.env.KEY\n",
      "src/mode.js": "export const b = process.env.MODE\n",
      "src/token.ts": "export const c: string = process.env.TOKEN!\n"
    })
    const { text } = artifactOf("mcp/project-setup.md", set)
    assert.include(text, "- `MODE` may be set (`src/mode.js:1`)")
    assert.include(text, "- `TOKEN` must be set (`src/token.ts:1`)")
    assert.notInclude(text, "KEY")
    assert.include(text, "`shop` requires `node >=20`. (`package.json:4`)")
  })

  it("keeps the server out of the registry where nothing can be published", () => {
    const without = makeProject(
      { project_name: "shop" },
      shop.map(({ facts, path }) => ({
        path,
        facts: facts.filter(({ subject }) => subject !== "@modelcontextprotocol/sdk")
      }))
    )
    assert.hasAllKeys(valueOf("mcp-registry-metadata.json"), ["$schema", "name", "description", "version", "packages", "_meta"])
    assert.doesNotHaveAnyKeys(valueOf("mcp-registry-metadata.json", without), ["packages"])
  })
})
