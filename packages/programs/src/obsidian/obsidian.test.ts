import { assert, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, installed, projectIn } from "../testing/repository.ts"
import { obsidian } from "./program.ts"

const text = async (path: string): Promise<string> => {
  const project = await projectIn(orders, "orders")
  return obsidian.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
}

describe("the program obsidian", () => {
  it("says what was searched where there is nothing", () => saysWhatWasSearched(obsidian))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(obsidian, await factsIn(orders)))
  it("cites what it says", () => citesWhatItSays(obsidian, orders))
  it("says of another repository something else", () => differs(obsidian, orders, installed("pino/lib")))

  it("has a note a module, linked as modules import each other", async () => {
    assert.include(await text("obsidian-skill-pack.md"), "- [[src/money]]: `format`. format: Formats cents as euros.")
    assert.include(await text("linking-policy.md"), "| [[src/orders]] | [[src/money]] | 1 | `format` | `src/orders/handlers.ts:2` |")
    assert.include(await text("graph-prompt-map.json"), "What breaks in src/orders when format changes?")
  })

  it("has templates whose heads are YAML", async () => {
    const heads = Array.from((await text("template-pack.md")).matchAll(/^---\n(.*?)\n---$/gmsu), ([, head]) => parse(head ?? ""))
    assert.isNotEmpty(heads)
    assert.deepInclude(heads, { package: "orders", level: 1, files: 1 })
  })
})
