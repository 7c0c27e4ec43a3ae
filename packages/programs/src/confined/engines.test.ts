import { assert, describe, it } from "@effect/vitest"
import { deflateRawSync } from "node:zlib"
import { fact } from "../facts/model.ts"
import { factsText } from "../facts/stored.ts"
import { engine as make } from "./make.ts"
import { pack } from "./pack.ts"
import { engine as read } from "./read.ts"

const files = {
  "package.json":
    `{\n  "name": "shop",\n  "version": "1.2.0",\n  "main": "src/index.ts",\n  "scripts": {\n    "test": "node --test"\n  }\n}\n`,
  "src/index.ts": `import { price } from "./price.ts"\n\nexport function total(): number {\n  return price() * 2\n}\n`,
  "src/price.ts": `export function price(): number {\n  return 21\n}\n`
}

const factsOf = async (entries: ReadonlyArray<readonly [string, string]>) => {
  const answer = await read(pack(entries.map(([name, text]) => ({ name, bytes: deflateRawSync(text) }))))
  return pack(answer.files.map(({ facts, path }) => ({ name: path, bytes: Buffer.from(facts, "base64") })))
}

describe("the engines", () => {
  it("make artifacts whose claims name their lines", async () => {
    const made = make(await factsOf(Object.entries(files)), { description: { project_name: "shop" }, make: "all", ran: [] })
    const summary = made.artifacts.find(({ path }) => path === "architecture-summary.md")
    assert.include(summary?.text, "- `shop` main: `src/index.ts` exporting `total` (`package.json:4`, `src/index.ts:3-5`)")
    assert.isUndefined(made.artifacts.find(({ path }) => path === "living-architecture.md"))
  })

  it("make a living architecture for engineers alone", async () => {
    const facts = await factsOf(Object.entries(files))
    const made = make(facts, { description: { project_name: "shop" }, make: "engineer", ran: [] })
    assert.deepInclude(made.artifacts.at(-1), { path: "living-architecture.md", program: "search", free: false, evidence: "cited" })
  })

  it("give the same bytes in whatever order files come", async () => {
    const options = { description: { project_name: "shop" }, make: "all", ran: [] } as const
    const forward = make(await factsOf(Object.entries(files)), options)
    const backward = make(await factsOf(Object.entries(files).toReversed()), options)
    assert.deepStrictEqual(backward, forward)
  })

  it("leave facts out where a project has too many, and name the files", () => {
    const MEBIBYTE = 1024 * 1024
    const piece = (name: string) => {
      const at = { path: name, start_line: 1, end_line: 1 }
      const facts = [
        fact("file", name, { language: "TypeScript", role: "source", lines: 1, bytes: 1 }, at),
        fact("todo", "TODO", { text: "x".repeat(7 * MEBIBYTE) }, at)
      ]
      return { name, bytes: deflateRawSync(factsText(facts)) }
    }
    const made = make(pack(["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"].map(piece)), {
      description: { project_name: "shop" },
      make: "commands",
      ran: []
    })
    assert.deepStrictEqual(made.skipped.map(({ path }) => path), ["e.ts"])
  })

  it("say which commands are worth running, and where they stand", async () => {
    const { commands } = make(await factsOf(Object.entries(files)), { description: { project_name: "shop" }, make: "commands", ran: [] })
    assert.deepStrictEqual(commands, [
      { command: "npm run test", folder: ".", needs: null, path: "package.json", start_line: 6, end_line: 6 }
    ])
  })
})
