import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import jsonld from "jsonld"
import { parse, serialize } from "parse5"
import { bakery } from "../testing/bakery.fixture.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import type { Texts } from "../testing/measures.ts"
import { museum } from "../testing/museum.fixture.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { seo } from "./program.ts"

const textOf = async (path: string, texts: Texts): Promise<string> => {
  const project = await projectIn(texts, "example")
  return seo.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
}

interface Recommended {
  readonly for: string
  readonly jsonld: Readonly<Record<string, string>>
}

describe("seo", () => {
  it("says what was searched", () => saysWhatWasSearched(seo))
  it("gives the same bytes", async () => givesTheSameBytes(seo, await factsIn(bakery)))
  it("cites what it says of React", () => citesWhatItSays(seo, bakery))
  it("cites what it says of pages", () => citesWhatItSays(seo, museum))
  it("differs", () => differs(seo, bakery, museum))

  it.each([
    ["seo-rules.md", museum, [
      "| description | `index.html` | `visit.html` | `index.html:7`, `visit.html:1` |",
      "- `visit.html` asks `noindex`. (`visit.html:4`)",
      "- Question: Is og:image set by a server?"
    ]],
    ["route-priority-map.md", bakery, [
      "| `/` | 0 | `/about` by `Shop` | `app/page.tsx` | `app/page.tsx:3`, `app/about/page.tsx:4` |",
      "| `/about` | 1 | `/` by `About` | `app/about/page.tsx` | `app/about/page.tsx:3`, `src/header.tsx:11` |"
    ]],
    ["route-priority-map.md", museum, [
      "- `index.html`: `Musée des Horloges` (`index.html:6`)",
      "| `visit.html` | 1 | `index.html` by `Préparer sa visite` | hidden | `visit.html:1`, `visit.html:3`, `index.html:16` |"
    ]],
    ["content-audit.md", museum, [
      "- `title` `Musée des Horloges` stands on `index.html`, `visit.html`. (`index.html:6`, `visit.html:3`)",
      "- `Visites guidées` leads to `tours.html`, which no page, file or route is. (`index.html:17`)"
    ]],
    ["content-audit.md", bakery, ["- `Ovens` leads to `/ovens`, which no page, file or route is. (`app/about/page.tsx:4`)"]],
    ["meta-tag-audit.json", museum, [
      "\"issues\":[\"missing description\",\"missing canonical\",\"missing og:title\",\"missing og:image\",\"missing viewport\","
    ]],
    ["seo-head-tags.html", museum, [
      "  <meta property=\"og:description\" content=\"Trois siècles d&#39;horloges et de montres.\"> <!-- index.html:7 -->"
    ]]
  ])("says in %s what is planted", async (path, texts, lines) => {
    const text = await textOf(path, texts)
    for (const line of lines) assert.include(text, line)
  })

  it("says who calls a description too long, only where one is", async () => {
    const page = (words: number) => ({ "a.html": `<title>A</title><meta name="description" content="${"word ".repeat(words)}end">\n` })
    assert.include(await textOf("meta-tag-audit.json", page(40)), "description longer than WEB1023 allows")
    assert.notInclude(await textOf("meta-tag-audit.json", page(4)), "WEB1023")
  })

  it("writes JSON-LD that a foreign reader expands", async () => {
    const { recommended } = parseJson(await textOf("schema-recommendations.json", bakery)) as {
      readonly recommended: ReadonlyArray<Recommended>
    }
    assert.deepStrictEqual(recommended.map((one) => one.for), ["/about", "/"])
    for (const { jsonld: document } of recommended) {
      const [node] = await jsonld.expand({ ...document, "@context": { "@vocab": "https://schema.org/" } }, { safe: true })
      assert.deepStrictEqual(node?.["@type"], [`https://schema.org/${document["@type"]}`])
      assert.deepStrictEqual(node?.["https://schema.org/name"], [{ "@value": document["name"] }])
    }
  })

  it("finds the types of JSON-LD that is there, and adds none beside it", async () => {
    const { found, recommended } = parseJson(await textOf("schema-recommendations.json", museum)) as {
      readonly found: unknown
      readonly recommended: unknown
    }
    assert.deepStrictEqual([found, recommended], [[{ page: "index.html", types: ["Museum"] }], []])
  })

  it.each(["\"", "'", "$(id)", "`", "a\nb", "*/", "-->", "]]>", "..", "</title><script>alert(1)</script>", "</template>"])(
    "writes head tags that are HTML, whatever a page is called: %j",
    async (name) => {
      const quoted = name.replaceAll("&", "&amp;").replaceAll("\"", "&quot;").replaceAll("<", "&lt;")
      const text = await textOf("seo-head-tags.html", {
        [`x${name.replaceAll(/[\n/]/gu, "")}.html`]: `<h1>${quoted}</h1><meta name="description" content="${quoted}">\n`
      })
      const errors: Array<string> = []
      const document = parse(text, { onParseError: ({ code }) => errors.push(code) })
      assert.deepStrictEqual(errors, [])
      assert.notInclude(serialize(document), "<script")
      const titles = Array.from(serialize(document).matchAll(/<title>/gu))
      assert.lengthOf(titles, 2)
    }
  )
})
