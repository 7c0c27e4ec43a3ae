import { assert, describe, it } from "@effect/vitest"
import { factsIn } from "./read.ts"

/** Files that each kind of parser and scan reads. */
const paths = [
  "package.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  ".gitlab-ci.yml",
  "Makefile",
  "pyproject.toml",
  "setup.cfg",
  "uv.lock",
  "go.mod",
  "Gemfile",
  "pom.xml",
  "settings.gradle",
  "eslint.config.js",
  "README.md",
  "index.rst",
  "LICENSE",
  "Dockerfile",
  "compose.yml",
  ".env.example",
  "openapi.json",
  "schema.sql",
  "shop.proto",
  "schema.graphql",
  "main.css",
  "index.html"
]

const SIZE = 10_000

/** Texts that make a scan go back, a parser recurse or a line long. */
const texts = [
  "\n",
  " ",
  "a",
  "[",
  "{",
  "- ",
  "{\"a\":",
  "a(\n",
  "a:\n",
  "\"",
  "(",
  "/*",
  "<a>",
  "> ",
  "CREATE TABLE a(",
  "a {",
  "[a](",
  "\\\n",
  "&a "
]

/** What may go wrong is said: a parser refuses, or a bound holds. A stack that is exhausted is no answer. */
const refusalOf = (path: string, text: string): Promise<string> =>
  factsIn(path, text).then(() => "", (error: unknown) => error instanceof RangeError ? String(error) : "")

describe("files that are made to hold or break a reader", () => {
  it.each(paths)("%s", { timeout: 60_000 }, async (path) => {
    for (const text of texts) assert.strictEqual(await refusalOf(path, text.repeat(SIZE / text.length)), "", text)
  })

  it.each([
    ["package.json", `{"scripts":`, 100_000],
    ["compose.yml", "- ", 100_000],
    ["compose.yml", "[", 100_000],
    ["pyproject.toml", "a.", 100_000],
    ["pom.xml", "<a>", 100_000]
  ])("%s of %j, 100,000 levels deep, is refused", async (path, level, levels) => {
    const text = `${path.endsWith(".toml") ? "a." : ""}${level.repeat(levels)}${path.endsWith(".toml") ? "a = 1" : ""}`
    const message = await factsIn(path, text).then(() => "read", (error: unknown) => String(error))
    assert.include(message, "it nests more than 100 levels")
  })

  it("repeats what aliases stand for only so often", async () => {
    const levels = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(", ")}]`)
    const text = `a0: &a0 [boom]\n${levels.join("\n")}\nservices:\n  web:\n    command: *a9\n    image: shop\n`
    const facts = await factsIn("compose.yml", text)
    assert.deepStrictEqual(facts.map(({ subject }) => subject), ["web", "web"])
    assert.isBelow(JSON.stringify(facts).length, 10_000)
  })

  it("takes names of prototypes as names", async () => {
    const facts = await factsIn(
      "package.json",
      `{ "name": "__proto__", "dependencies": { "constructor": "1", "__proto__": "2" }, "toString": {} }`
    )
    assert.deepStrictEqual(facts.map(({ subject }) => subject), ["__proto__", "constructor", "name", "__proto__"])
    assert.notProperty({}, "2")
  })
})
