import { assert, describe, it } from "@effect/vitest"
import MarkdownIt from "markdown-it"
import { fact } from "../facts/model.ts"
import { markdown } from "./markdown.ts"
import { absence, claim } from "./model.ts"
import { claimOf, page, rowOf, table } from "./sections.ts"

const reader = new MarkdownIt({ html: true })

const todoAt = (path: string) => fact("todo", "TODO", { text: "x" }, { path, start_line: 1, end_line: 1 })
const todo = todoAt("a.ts")

/** What is more than words: pictures, links and HTML. */
const live = (text: string): ReadonlyArray<string> =>
  reader.parse(text, {}).flatMap(({ children, type }) => [type, ...(children ?? []).map((child) => child.type)])
    .filter((type) => /image|link|html/u.test(type))

const NASTY = [
  "![x](https://evil.example/p)",
  "<img src=\"https://evil.example/p\">",
  "[go](https://evil.example)",
  "\\` ![x](https://evil.example/p) `",
  "`` ![x](https://evil.example/p) `",
  "\\\\<script>x</script>",
  "<!-- x -->",
  "a | ![x](https://evil.example/p) \\| <b>x</b>"
]

describe("Markdown of what strangers wrote", () => {
  it.each(NASTY)("has words only of %j", (text) => {
    const { text: written } = markdown([
      { block: "heading", level: 2, text },
      claim(text, todo),
      ...table(["text"], rowOf([text], [todo])),
      { block: "question", text }
    ])
    assert.deepStrictEqual(live(written), [])
    const rows = written.split("\n").filter((line) => line.endsWith("`a.ts:1` |"))
    assert.lengthOf(rows, 1)
    // The pipes of two cells, and none besides.
    assert.lengthOf(rows[0]?.replaceAll("\\|", "").match(/\|/gu) ?? [], 3)
  })

  it("names the source of words that stand in no fact, in a sentence and in a row", () => {
    const go = { name: "go", url: "https://pkg.go.dev/cmd/go" }
    const { text } = markdown([...claimOf("lint: `go vet`", [todo], go), ...table(["run"], rowOf(["`go vet`"], [todo], go))])
    assert.include(text, "- lint: `go vet` (`a.ts:1`) Source: [go](https://pkg.go.dev/cmd/go).")
    assert.include(text, "| `go vet` | `a.ts:1` Source: [go](https://pkg.go.dev/cmd/go). |")
  })

  it("keeps code as it is", () => {
    assert.include(markdown([claim("`Map<string>` of `a![0](1)`", todo)]).text, "- `Map<string>` of `a![0](1)` (")
  })

  it("names what is not there, of a page that says something the first of it", () => {
    const none = ["route", "test"].map((noun) => ({ title: noun, blocks: [], none: absence(`No ${noun}.`, 2) }))
    assert.include(page("Shop", none).text, "- No route; no test. Searched: 2 files.")
    const { text } = page("Shop", [{ title: "Marked", blocks: claimOf("TODO", [todo]) }, ...none])
    assert.include(text, "- No route. Searched: 2 files.")
  })

  it("has no picture of a path", () => {
    assert.deepStrictEqual(live(markdown(claimOf("x", [todoAt("a`![p](https:/evil.example/p)`/b.ts")])).text), [])
  })
})
