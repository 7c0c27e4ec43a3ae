import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { parse } from "yaml"
import { placeOf } from "../claims/places.ts"
import { makeProject } from "../facts/project.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, installed, projectIn } from "../testing/repository.ts"
import { livingArchitecture } from "./living-architecture.ts"
import { search } from "./program.ts"

const program = { ...search, artifacts: [...search.artifacts, { path: "living-architecture.md", make: livingArchitecture }] }

const linesWith = async (path: string, ...words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const project = await projectIn(orders, "orders")
  const text = program.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? ""
  return text.split("\n").filter((line) => words.every((word) => line.includes(word)))
}

const only = async (path: string, ...words: ReadonlyArray<string>): Promise<string> => {
  const found = await linesWith(path, ...words)
  assert.strictEqual(found.length, 1, `${path}: ${words.join(", ")}\n${found.join("\n")}`)
  return found[0] ?? ""
}

describe("the program search", () => {
  it("says what was searched where there is nothing", () => saysWhatWasSearched(program))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(program, await factsIn(orders)))
  it("cites what it says", () => citesWhatItSays(program, orders))
  it("says of another repository something else", () => differs(program, orders, installed("pino/lib")))

  it("answers on one line who calls a function and what tests it", async () => {
    const line = await only("symbol-index.json", "\"symbol\":\"format\"")
    assert.deepStrictEqual(parseJson(line.replace(/,$/u, "")), {
      symbol: "format",
      defined: "src/money/format.ts:2-4",
      "who calls it": ["src/orders/handlers.ts:6"],
      "breaks if it changes": "1 file",
      tests: ["src/money/format.test.ts:5"]
    })
  })

  it("answers on one line where a route is handled", async () => {
    const line = await only("context-map.json", "\"route\":\"GET /orders\"")
    assert.include(line, "\"handled at\":\"src/orders/handlers.ts:5-7\"")
    assert.include(line, "\"registered\":\"src/server.ts:7\"")
  })

  it("says of a file what it is for, what it exports and which tests import it", async () => {
    const line = await only("context-map.json", "\"file\":\"src/money/format.ts\"")
    assert.include(line, "\"for\":\"format: Formats cents as euros.\",\"exports\":[\"format:2\"]")
    assert.include(line, "\"tests\":[\"src/money/format.test.ts:2\"]")
  })

  it("is JSON with an item a line", async () => {
    const project = await projectIn(orders, "orders")
    for (const { make, path } of program.artifacts.filter(({ path }) => path.endsWith(".json"))) {
      assert.isObject(parseJson(make(project).text), path)
    }
  })

  it("names frameworks with the places of their declaration and of an import", async () => {
    const line = await only("repo-profile.yaml", "name: express")
    assert.include(line, "# package.json:11, src/server.ts:1")
    const project = await projectIn(orders, "orders")
    const text = search.artifacts.find(({ path }) => path === "repo-profile.yaml")?.make(project).text ?? ""
    assert.deepInclude(parse(text), { name: "orders", size: { files: 7, lines: 61 } })
  })

  it("tells of a circle of imports, and where to cut it", async () => {
    const line = await only("dependency-hotspots.md", "`src/orders/handlers.ts` → `src/store/orders.ts` → `src/orders/handlers.ts`")
    assert.include(line, "src/store/orders.ts:2")
  })

  it("tells declared dependencies that are not imported from imported ones that are not declared", async () => {
    assert.include(await only("dependency-hotspots.md", "`left-pad`"), "package.json:12")
    assert.include(await only("dependency-hotspots.md", "`pg`"), "src/store/orders.ts:1")
    assert.isEmpty(await linesWith("dependency-hotspots.md", "`vitest`"))
  })

  it("knows which file stands alone", async () => {
    assert.include(await only("architecture-summary.md", "`src/legacy.ts` exports `oldTotal`"), "src/legacy.ts:1-3")
  })

  it("says what was left out, and why", async () => {
    const skipped = [{ path: "b.png", reason: "binary" }, { path: "a.png", reason: "binary" }]
    const project = makeProject({ project_name: "orders" }, await factsIn(orders), [], skipped)
    const text = search.artifacts.find(({ path }) => path === "repo-run-stats.json")?.make(project).text ?? ""
    assert.include(text, `{"skipped":"binary","files":2,"such":["a.png","b.png"]}`)
  })

  it("holds a place of use in the first five lines with a function's name", async () => {
    const project = await projectIn(installed("fastify/lib"))
    const lines = ["context-map.json", "symbol-index.json"].flatMap((path) =>
      search.artifacts.find((artifact) => artifact.path === path)?.make(project).text.split("\n") ?? []
    )
    const called = project.facts("symbol").filter((symbol) => symbol.value.exported && project.links.callers(symbol).length > 0)
    const answered = called.filter((symbol) => {
      const [call] = project.links.callers(symbol)
      const named = lines.filter((line) => line.split(/[^\w$]/u).includes(symbol.subject)).slice(0, 5)
      return call !== undefined && named.some((line) => line.includes(placeOf(call.evidence[0])))
    })
    assert.isAbove(called.length, 20)
    assert.isAtLeast(answered.length / called.length, 0.85)
  })

  it("follows a request from its route to its SQL, and names what fails", async () => {
    assert.lengthOf(await linesWith("living-architecture.md", "`GET /orders` → `listOrders`", "src/server.ts:7"), 1)
    assert.lengthOf(await linesWith("living-architecture.md", "→ `findOrders`: SELECT `orders`", "src/store/orders.ts:8"), 2)
    assert.lengthOf(await linesWith("living-architecture.md", "`DATABASE_URL`", "src/store/orders.ts:4"), 1)
    assert.lengthOf(await linesWith("living-architecture.md", "| `RangeError` | an order has an id | `refundOrder` |"), 1)
  })
})
