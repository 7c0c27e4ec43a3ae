import { assert, beforeAll, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { parse as parseHtml } from "parse5"
import { parse as parseYaml } from "yaml"
import type { Artifact } from "../claims/model.ts"
import { makeProject, type Project } from "../facts/project.ts"
import { programs } from "../programs.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { bikes } from "../testing/bikes.fixture.ts"
import { complaints } from "../testing/compiled.ts"
import { hostile, NASTY } from "../testing/hostile.fixture.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, installed, projectIn } from "../testing/repository.ts"
import { artifacts } from "./program.ts"

const artifactOf = (path: string, project: Project): Artifact =>
  artifacts.artifacts.find((artifact) => artifact.path === path)?.make(project) ?? assert.fail(`no artifact ${path}`)

const nasty = makeProject({ project_name: NASTY }, hostile)
const empty = makeProject({ project_name: "empty" }, [])

/** Errors of the page's form, and the names of all its elements. */
const pageOf = (text: string) => {
  const errors: Array<string> = []
  const names: Array<string> = []
  const open: Array<unknown> = [parseHtml(text, { onParseError: ({ code, startLine }) => errors.push(`${startLine}: ${code}`) })]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { childNodes = [], nodeName } = node as { readonly nodeName: string; readonly childNodes?: ReadonlyArray<unknown> }
    names.push(nodeName)
    open.push(...childNodes)
  }
  return { errors, names: new Set(names) }
}

describe("the program artifacts", () => {
  let project: Project
  beforeAll(async () => {
    project = await projectIn(bikes, "bikes")
  })
  const textOf = (path: string): string => artifactOf(path, project).text
  const linesWith = (path: string, ...words: ReadonlyArray<string>) =>
    textOf(path).split("\n").filter((line) => words.every((word) => line.includes(word)))

  it("makes what the contract lists, in its order", () => {
    const listed = programs.find(({ name }) => name === "artifacts")?.artifacts.map(({ path }) => path)
    assert.deepStrictEqual(artifacts.artifacts.map(({ path }) => path), listed)
  })

  it("says of a repository without evidence what it searched", () => saysWhatWasSearched(artifacts))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(artifacts, await factsIn(bikes)))
  it("cites what it says of a shop", () => citesWhatItSays(artifacts, bikes))
  it("cites what it says of orders", () => citesWhatItSays(artifacts, orders))
  it("says of another repository something else", () => differs(artifacts, bikes, installed("pino/lib")))

  it("writes components and snippets that TypeScript takes with --strict", async () => {
    const made = { bikes: project, orders: await projectIn(orders, "orders"), nasty, empty }
    const texts = Object.entries(made).flatMap(([name, of]) =>
      artifacts.artifacts.filter(({ path }) => /\.tsx?$/u.test(path)).map(({ make, path }) => [`${name}.${path}`, make(of).text] as const)
    )
    assert.strictEqual(complaints(Object.fromEntries(texts)), "")
  })

  it("makes a table of the resource with most routes, with the fields of its model and a button for each other route", () => {
    const { text } = artifactOf("generated-component.tsx", project)
    assert.match(text, /^\/\/ GET \/api\/rentals \(src\/server\.ts:6\)$/mu)
    assert.include(text, "// Rental (src/model.ts:2-7)\nexport interface RentalsRow {\n  readonly id: string\n  readonly bike: string")
    assert.include(text, "fetch(`${given.origin ?? \"\"}/api/rentals/${encodeURIComponent(String(row.id))}/end`, { method: \"POST\" })")
    assert.include(text, "confirm(\"DELETE /api/rentals/:rentalId?\") && ")
  })

  it("embeds routes where there are some, and what the package exports where there are none", async () => {
    assert.include(textOf("embed-snippet.ts"), "  | `/api/stations/${string}` // src/server.ts:9")
    const library = await projectIn({ ...bikes, "src/server.ts": "" }, "bikes")
    const { text } = artifactOf("embed-snippet.ts", library)
    assert.include(text, "} from \"bikes\"")
    assert.include(text, "  // export function endRental(id: string) (src/rentals.ts:11-15)\n  endRental,")
    assert.strictEqual(
      complaints({ "embed.ts": text, "rentals.ts": "export const endRental = 1, findRentals = 2, forgetRental = 3" }, {
        bikes: ["./rentals.ts"]
      }),
      ""
    )
  })

  it("counts routes, models, components and tests by what they are about", () => {
    const { text } = artifactOf("dashboard-widget.tsx", project)
    assert.include(text, "// 4 routes, 1 model, 2 components, 1 test")
    assert.include(text, "<dd><meter max={4} value={3} />")
  })

  it("lists components with their properties and who imports them, one a line", () => {
    const [card] = linesWith("component-library.json", "\"RentalCard\"")
    assert.deepStrictEqual(parseJson((card ?? "").replace(/,$/u, "")), {
      component: "RentalCard",
      framework: "react",
      properties: { bike: "string", "minutes?": "number" },
      defined: "src/RentalCard.tsx:3-5",
      files: 1,
      "used in": ["src/App.tsx:1"],
      tests: []
    })
  })

  it("tells gaps by their lines", () => {
    assert.lengthOf(linesWith("tasks.md", "- [ ] `TODO charge minutes beyond the first hour` (`src/rentals.ts:12`)"), 1)
    assert.lengthOf(linesWith("tasks.md", "- [ ] `forgetRental`", "catches", "src/rentals.ts:20"), 1)
    assert.lengthOf(linesWith("tasks.md", "`GET /api/stations/:key`", "document"), 1)
    assert.lengthOf(linesWith("tasks.md", "`RENTALS_DATABASE`", "src/rentals.ts:4"), 1)
  })

  it("asks what no document says, and whether what deletes can be undone", () => {
    assert.lengthOf(linesWith("prd.md", "Question: Who may call `DELETE /api/rentals/:rentalId`"), 1)
    assert.lengthOf(linesWith("prd.md", "\"Lends bicycles of three stations.\" (`README.md:3`)"), 1)
  })

  it("says who writes a table, and where it fails", () => {
    assert.lengthOf(linesWith("design.md", "`rentals`: written in `src/rentals.ts`, read in `src/rentals.ts`"), 1)
    assert.lengthOf(linesWith("design.md", "`src`: `RangeError` ×1 (`src/rentals.ts:13`)"), 1)
  })

  it("names the files of a folder that others import", () => {
    assert.lengthOf(linesWith("context.md", "`src/model.ts`: `Rental`", "tests", "src/model.ts:2-7"), 0)
    assert.lengthOf(linesWith("context.md", "`src`", "`src/model.ts`: `Rental`", "`test/rentals.test.ts`"), 1)
  })

  it("maps what can be asked to what happens below it", () => {
    const map = parseYaml(textOf("capability-map.yaml"))
    assert.deepStrictEqual(map.capabilities.rentals.map(({ asked, below }: { asked: string; below: unknown }) => [asked, below]), [
      ["DELETE /api/rentals/:rentalId", ["DELETE rentals"]],
      ["GET /api/rentals", ["SELECT rentals"]],
      ["POST /api/rentals/:rentalId/end", ["UPDATE rentals", "refuses: RangeError"]]
    ])
  })

  it("writes a page of valid HTML that runs nothing, whatever names it holds", () => {
    for (const each of [project, nasty, empty]) {
      const { errors, names } = pageOf(artifactOf("index.html", each).text)
      assert.deepStrictEqual(errors, [])
      for (const name of ["script", "style", "img", "a", "link"]) assert.notInclude([...names], name)
    }
    assert.include(
      textOf("index.html"),
      "<tr><th scope=\"row\">GET /api/rentals</th><td>findRentals</td><td><code>src/server.ts:6</code></td></tr>"
    )
  })

  it("writes data that parses, whatever names it holds", () => {
    const named = makeProject({ project_name: "nasty" }, hostile)
    for (const { make, path } of artifacts.artifacts) {
      const { text } = make(named)
      if (path.endsWith(".json")) assert.isObject(parseJson(text), path)
      if (path.endsWith(".yaml")) assert.isObject(parseYaml(text), path)
      if (/\.(?:tsx?|html)$/u.test(path)) assert.notMatch(text, /[\u2028\u202e]/u, path)
    }
  })
})
