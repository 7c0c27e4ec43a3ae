import { assert, describe, it } from "@effect/vitest"
import { type AnyFact, fact } from "../facts/model.ts"
import { makeProject } from "../facts/project.ts"
import { givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { citedShare, unitsOf, unknownNames } from "../testing/measures.ts"
import { factsIn, projectIn } from "../testing/repository.ts"
import { debugPlaybook } from "./debug-playbook.ts"
import { incidentTemplate } from "./incident-template.ts"
import { debug } from "./program.ts"
import { rootCauseChecklist } from "./root-cause-checklist.ts"
import { tracingRules } from "./tracing-rules.ts"

const shop = {
  "package.json":
    `{\n  "name": "shop",\n  "scripts": {\n    "start": "node src/server.js",\n    "db:rollback": "knex migrate:rollback"\n  }\n}\n`,
  "src/price.js": [
    "export function price(article) {",
    "  if (article === undefined) {",
    `    throw new RangeError("article is missing")`,
    "  }",
    `  console.warn("price is a guess")`,
    "  return Number(process.env.SHOP_PRICE)",
    "}",
    ""
  ].join("\n"),
  "src/server.js": [
    `import express from "express"`,
    `import { price } from "./price.js"`,
    "",
    "const app = express()",
    "export function showPrice(request, response) {",
    "  try {",
    "    response.json(price(request.query.article))",
    "  } catch {",
    "    response.status(500).end()",
    "  }",
    "}",
    `app.get("/price", showPrice)`,
    `app.get("/healthz", showPrice)`,
    ""
  ].join("\n")
}

const locked = (name: string, version: string, line: number): AnyFact =>
  fact("locked", name, { ecosystem: "npm", version, direct: true }, { path: "package-lock.json", start_line: line, end_line: line })

describe("debug", () => {
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(debug, await factsIn(shop)))

  it("says of no file at all that nothing was searched", () => saysWhatWasSearched(debug))

  it("leads from a message to its place and its callers", async () => {
    const { text } = debugPlaybook(await projectIn(shop))
    assert.include(text, "| `article is missing` | `RangeError` | `price` | `showPrice` | `src/price.js:3`, `src/server.js:7` |")
    assert.include(text, "| `price is a guess` | `warn` | `price` | `showPrice` | `src/price.js:5`, `src/server.js:7` |")
    assert.include(text, "a catch in `showPrice` logs and throws nothing")
  })

  it("names errors that a result carries or that are thrown with more, and none that are passed on", async () => {
    const pay = [
      `export const pay = () => Result.fail(new Declined({ message: "the card was declined" }))`,
      `export const link = () => { throw Object.assign(new TypeError("no link"), { code: "EINVAL" }) }`,
      `export const bare = () => Result.fail(new Lost())`,
      "export const again = (error) => Result.fail(error)",
      `export const named = () => Result.fail(new Declined({ code: "amount", message: "the amount is too large" }))`,
      "export const made = (message) => Result.fail(new Refused({ code: 'quote_id', message }))",
      `export const word = (intent) => Result.fail(refuse(intent, "submit"))`,
      `export const words = (intent) => Result.fail(refuse(intent, "it is not open"))`,
      "export const once = (error) => { throw error }",
      ""
    ].join("\n")
    const { text } = debugPlaybook(await projectIn({ "src/pay.ts": pay }))
    assert.include(text, "| `the card was declined` | `Declined` | `pay` |  | `src/pay.ts:1` |")
    assert.include(text, "| `no link` | `TypeError` | `link` |  | `src/pay.ts:2` |")
    assert.include(text, "| `the amount is too large` | `Declined` | `named` |")
    assert.include(text, "| `it is not open` | `Result.fail` | `words` |")
    assert.include(text, "- `Lost` in `bare` (`src/pay.ts:3`)\n- `Refused` in `made` (`src/pay.ts:6`)")
    assert.notMatch(text, /`(?:amount|quote_id|submit)`/u)
    assert.notMatch(text, /again|once/u)
  })

  it("fills the template of an incident with services, health, logs and ways back", async () => {
    const { text } = incidentTemplate(await projectIn(shop))
    for (const part of ["`start` starts `node src/server.js`", "`GET /healthz`", "`db:rollback` runs", "`SHOP_PRICE` is set?"]) {
      assert.include(text, part)
    }
  })

  it("follows a request", async () => {
    const { text } = tracingRules(await projectIn(shop))
    assert.match(text, /\| `GET \/price` \| `showPrice` \| `price` \| `src\/server\.js:12`/u)
    assert.match(text, /`src\/server\.js` handles .* and logs nothing/u)
  })

  it("takes neither a test nor a fixture for the handler of a request, or for what writes a table", async () => {
    const { "src/price.js": _, ...rest } = shop
    const server = shop["src/server.js"].replaceAll("function showPrice", "const unnamed = function")
    const help = "export function showPrice() {\n  return sql`INSERT INTO prices (amount) VALUES (1)`\n}\n"
    for (const path of ["src/price.test.js", "src/fixture.js", "src/price.fixture.js", "src/__fixtures__/price.js"]) {
      const project = await projectIn({ ...rest, "src/server.js": server, [path]: help })
      assert.include(tracingRules(project).text, "| `GET /price` | `showPrice` |")
      assert.notInclude(tracingRules(project).text, path)
      assert.notInclude(rootCauseChecklist(project).text, "prices")
    }
    const { text } = rootCauseChecklist(await projectIn({ ...rest, "src/price.js": help }))
    assert.include(text, "`prices` is written by `src/price.js`.")
  })

  it("lists what goes wrong unseen", async () => {
    const files = [...await factsIn(shop), { path: "package-lock.json", facts: [locked("ms", "2.0.0", 5), locked("ms", "2.1.3", 9)] }]
    const { text } = rootCauseChecklist(makeProject({ project_name: "shop" }, files))
    assert.include(text, "`ms` is locked as `2.0.0` and `2.1.3`. (`package-lock.json:5`, `package-lock.json:9`)")
    assert.include(text, "`src/server.js`: catch without log or throw in `showPrice`")
    assert.include(text, "`SHOP_PRICE`: no fallback, no check. (`src/price.js:")
  })

  it("keeps what strangers wrote within its cell", async () => {
    const texts = { "src/a.js": "export function a() {\n  throw new Error(\"`|\\n# Run this\\n|\")\n}\n" }
    const { text } = debugPlaybook(await projectIn(texts))
    assert.notMatch(text, /^# Run this/mu)
    assert.strictEqual(text.split("\n").filter((line) => line.includes("Run this")).length, 1)
  })

  it("cites lines that hold a word of what is said, and names nothing else", async () => {
    const files = await factsIn(shop)
    const facts = files.flatMap((file) => file.facts)
    for (const { make, path } of debug.artifacts) {
      const artifact = make(makeProject({ project_name: "shop" }, files))
      assert.isAtLeast(citedShare(unitsOf(path, artifact, shop)), 0.9, `${path}\n${artifact.text}`)
      assert.deepStrictEqual(unknownNames(artifact, facts), [], path)
    }
  })

  it("without evidence is short and says what was searched", async () => {
    const project = await projectIn({ "notes.txt": "nothing\n" })
    for (const { make, path } of debug.artifacts) {
      const { evidence, text } = make(project)
      assert.strictEqual(evidence, "none", path)
      assert.include(text, "Searched: 1 file", path)
      assert.isAtMost(text.split("\n").length, 15, path)
    }
  })
})
