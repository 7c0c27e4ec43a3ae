/** Thirty pages of ours, each with its text: what of it is found, and what else. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { readHtml } from "./article.ts"
import { decodeText } from "./charset.ts"
import { plain, score } from "./f1.fixture.ts"

const FOLDER = `${import.meta.dirname}/pages`
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".html")).map((name) => name.replace(/\.html$/u, ""))

const extract = (name: string) =>
  readHtml(decodeText(readFileSync(`${FOLDER}/${name}.html`), "text/html"), { url: `https://example.com/${name}`, onlyMainContent: true })
const scoreOf = (name: string) => score(plain(extract(name).markdown), readFileSync(`${FOLDER}/${name}.txt`, "utf8"))

describe("the text of an article", () => {
  it("is found in thirty pages with an F1 of at least 0.93", () => {
    assert.lengthOf(names, 30)
    const scores = names.map((name) => ({ name, ...scoreOf(name) }))
    const mean = scores.reduce((sum, { f1 }) => sum + f1, 0) / scores.length
    const worst = scores.toSorted((one, other) => one.f1 - other.f1).slice(0, 5)
    console.log(`F1 ${mean.toFixed(3)}; least: ${worst.map(({ f1, name }) => `${name} ${f1.toFixed(3)}`).join(", ")}`)
    assert.isAtLeast(mean, 0.93)
    assert.isAtLeast(worst[0]?.f1 ?? 0, 0.9)
  })

  it("holds neither consent, nor navigation, nor what readers wrote", () => {
    for (const name of names) {
      assert.notMatch(extract(name).markdown, /We value your privacy|Accept cookies|Imprint|never looked back/u, name)
    }
  })

  it("is not found where another page is expected", () => {
    assert.isBelow(score(plain(extract("plain").markdown), readFileSync(`${FOLDER}/recipe.txt`, "utf8")).f1, 0.05)
  })
})

describe("what a page says of itself", () => {
  it("is short, however long the page makes it", () => {
    const long = "t".repeat(1_000_000)
    const html = `<html><head><title>${long}</title><meta name=author content="${long}"></head>
      <body><p>${"Words that somebody reads. ".repeat(20)}</p><a href="https://example.com/${long}">far</a></body></html>`
    const page = readHtml(html, { url: "https://example.com/", onlyMainContent: false })
    assert.deepStrictEqual([page.title?.length, page.metadata["author"]?.length, page.links], [500, 500, []])
  })
})
