import { assert, describe, it } from "@effect/vitest"
import { parse } from "yaml"
import { fact } from "../facts/model.ts"
import { cited, jsonLines } from "./json.ts"
import { yaml } from "./yaml.ts"

const dependency = (name: string, line: number) =>
  fact("dependency", name, { ecosystem: "npm", range: "^5.0.0", scope: "runtime" }, {
    path: "package.json",
    start_line: line,
    end_line: line
  })

describe("values as YAML", () => {
  const artifact = yaml({
    name: "shop",
    frameworks: [cited({ name: "fastify", range: "^5.0.0" }, dependency("fastify", 7)), cited("pino: yes", dependency("pino", 8))],
    "a/b": cited("# no comment", dependency("x", 9))
  }, ["What was found."])

  it("have places behind what they are of, and read as what they were", () => {
    assert.strictEqual(
      artifact.text,
      `# What was found.

name: shop
frameworks:
  - name: fastify # package.json:7
    range: ^5.0.0
  - "pino: yes" # package.json:8
a/b: "# no comment" # package.json:9
`
    )
    assert.deepStrictEqual(parse(artifact.text), {
      name: "shop",
      frameworks: [{ name: "fastify", range: "^5.0.0" }, "pino: yes"],
      "a/b": "# no comment"
    })
  })

  it("are cited by the lines of the text", () => {
    assert.deepStrictEqual(artifact.citations.map(({ at, start_line }) => [at, start_line]), [[5, 7], [7, 8], [8, 9]])
    assert.strictEqual(yaml({ searched: 3 }).evidence, "none")
  })
})

describe("JSON by lines", () => {
  it("has one line an element", () => {
    const artifact = jsonLines({ name: "shop", list: [cited({ a: [1, 2] }, dependency("x", 3)), { b: "\n" }], none: [] })
    assert.strictEqual(artifact.text, `{\n"name": "shop",\n"list": [\n{"a":[1,2]},\n{"b":"\\n"}\n],\n"none": []\n}\n`)
    assert.deepStrictEqual(artifact.citations.map(({ at }) => at), ["/list/0"])
  })
})
