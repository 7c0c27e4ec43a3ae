/** Depth told from text: no page of people is taken for deep, and no trick hides depth. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { readHtml } from "./article.ts"
import { isNestedDeeper } from "./nesting.ts"

const options = { url: "https://example.com/", onlyMainContent: true }

describe("pages that are not deep", () => {
  const folder = join(import.meta.dirname, "pages")
  const pages = readdirSync(folder).filter((name) => name.endsWith(".html")).map((name) => readFileSync(join(folder, name), "utf8"))

  it.each([
    ["our thirty, one behind the other", pages.join("\n")],
    ["tags that nobody closes", "<ul><li>a<li>b</ul><p>c<p>d<table><tr><td>e<td>f<tr><td>g</table>".repeat(2000)],
    ["voids and images", "<br><img src=a><hr><input>".repeat(2000)],
    ["paths of a drawing", `<svg>${"<path d=\"M0 0\"/><g/>".repeat(2000)}</svg>`],
    ["tags in scripts and comments", `<script>"${"<div>".repeat(2000)}"</script><!-- ${"<div>".repeat(2000)} -->`],
    ["inner tags left open", "<div><b><i>bold</div>".repeat(2000)]
  ])("%s", (_, html) => assert.isFalse(isNestedDeeper(html, 1000)))
})

describe("pages that are", () => {
  it.each([
    ["divisions", "<div>".repeat(300_000)],
    ["with ends of what was never opened", "<div></b>".repeat(100_000)],
    ["with slashes that end nothing", "<div/>".repeat(300_000)],
    ["under a comment that never ends before", `<!-- a -->${"<b a='1'>".repeat(2000)}`],
    ["in capitals", "<DIV>".repeat(2000)]
  ])("of %s, are refused before a parser sees them", (_, html) => {
    assert.throws(() => readHtml(html, options), /nested more than 1000 levels/u)
  })
})
