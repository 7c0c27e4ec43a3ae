import { assert, describe, it } from "@effect/vitest"
import { fact, type FileFacts } from "../facts/model.ts"
import { makeProject } from "../facts/project.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, installed, projectIn } from "../testing/repository.ts"
import { notebook } from "./program.ts"

const at = (start_line: number, end_line = start_line) => ({ path: "docs/guide.md", start_line, end_line })

/** A document as its reader gives it. */
const guide: FileFacts = {
  path: "docs/guide.md",
  facts: [
    fact("file", "docs/guide.md", { language: "Markdown", role: "documentation", lines: 9, bytes: 200 }, at(1, 9)),
    fact("heading", "Selling", { level: 1 }, at(1)),
    fact("paragraph", "Selling", { text: "An order is paid before it is sent.", under: "Selling" }, at(3)),
    fact("link", "handlers", { target: "../src/orders/handlers.ts#L5", image: false }, at(5)),
    fact("link", "gone", { target: "../src/gone.ts", image: false }, at(6)),
    fact("link", "site", { target: "https://example.com/x", image: false }, at(7))
  ]
}

const text = async (path: string): Promise<string> => {
  const project = makeProject({ project_name: "orders" }, [...await factsIn(orders), guide])
  return notebook.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
}

describe("the program notebook", () => {
  it("says what was searched where there is nothing", () => saysWhatWasSearched(notebook))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(notebook, await factsIn(orders)))
  it("cites what it says", () => citesWhatItSays(notebook, orders))
  it("says of another repository something else", () => differs(notebook, orders, installed("pino/lib")))

  it("reads a file after those that it imports, and the entry last", async () => {
    const brief = await text("study-brief.md")
    const order = ["- `src/money/format.ts`", "- `src/orders/handlers.ts`", "- `src/server.ts`: entry"].map((path) => brief.indexOf(path))
    assert.notInclude(order, -1)
    assert.deepStrictEqual(order.toSorted((one, other) => one - other), order)
  })

  it("lists what its authors left open, what no test reaches and links that lead nowhere", async () => {
    const threads = await text("research-threads.md")
    assert.include(threads, "TODO page through long lists | `src/store/orders.ts:6`")
    assert.include(threads, "- `src/legacy.ts`: `oldTotal` (`src/legacy.ts:1-3`)")
    assert.include(threads, "- `docs/guide.md` leads to `../src/gone.ts` (`docs/guide.md:6`)")
    assert.notInclude(threads, "leads to `../src/orders/handlers.ts#L5`")
    assert.notInclude(threads, "example.com")
    assert.notInclude(threads, "`src/money/format.ts`: `format`")
  })

  it("says nothing of untested code where no test is known", async () => {
    const untested = Object.fromEntries(Object.entries(orders).filter(([path]) => !path.includes(".test.")))
    const project = await projectIn(untested)
    const threads = notebook.artifacts.find(({ path }) => path === "research-threads.md")?.make(project).text ?? ""
    assert.include(threads, "# Open in example")
    assert.notInclude(threads, "Reached by no test")
  })

  it("has the lines to cite a sentence by", async () => {
    assert.include(
      await text("citation-index.json"),
      `{"says":"An order is paid before it is sent.","of":"Selling","cite":"docs/guide.md:3"}`
    )
  })
})
