import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { Parser } from "htmlparser2"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse as parseYaml } from "yaml"
import { makeProject, type Project } from "../facts/project.ts"
import { programs } from "../programs.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { bikes } from "../testing/bikes.fixture.ts"
import { complaints } from "../testing/compiled.ts"
import { hostile, NASTY } from "../testing/hostile.fixture.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, installed, projectIn } from "../testing/repository.ts"
import { drawingOf } from "./graph.ts"
import { algorithmic } from "./program.ts"

const textOf = (path: string, project: Project): string =>
  algorithmic.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? assert.fail(`no artifact ${path}`)

const nasty = makeProject({ project_name: NASTY }, hostile)

/** What the sketch draws when it runs: the names of elements, in their order. */
const drawn = async (project: Project, name: string, ...given: ReadonlyArray<string>) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-sketch-"))
  try {
    writeFileSync(join(folder, "sketch.ts"), textOf("generative-sketch.ts", project))
    const { [name]: draw } = await import(join(folder, "sketch.ts"))
    const svg: string = draw(...given)
    const elements: Array<string> = []
    const parser = new Parser({ onopentag: (element) => elements.push(element) }, { xmlMode: true })
    parser.end(svg)
    return { svg, elements, count: (element: string) => elements.filter((one) => one === element).length }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("the program algorithmic", () => {
  it("makes what the contract lists, in its order", () => {
    const listed = programs.find(({ name }) => name === "algorithmic")?.artifacts.map(({ path }) => path)
    assert.deepStrictEqual(algorithmic.artifacts.map(({ path }) => path), listed)
  })

  it("says of a repository without evidence what it searched", () => saysWhatWasSearched(algorithmic))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(algorithmic, await factsIn(orders)))
  it("cites what it draws of a shop", () => citesWhatItSays(algorithmic, bikes))
  it("cites what it draws of orders", () => citesWhatItSays(algorithmic, orders))
  it("draws of another repository something else", () => differs(algorithmic, bikes, installed("pino/lib")))

  it("writes a sketch that TypeScript takes with --strict", async () => {
    const made = { orders: await projectIn(orders, "orders"), nasty, empty: makeProject({ project_name: "empty" }, []) }
    const texts = Object.entries(made).map(([name, project]) => [`${name}.ts`, textOf("generative-sketch.ts", project)] as const)
    assert.strictEqual(complaints(Object.fromEntries(texts)), "")
  })

  it("draws a circle for each file and an arc for each import, the same at each run", async () => {
    const project = await projectIn(orders, "orders")
    const { edges, nodes } = drawingOf(project)
    const all = await drawn(project, "drawOrders")
    assert.deepStrictEqual([all.count("circle"), all.count("path")], [nodes.length, edges.length])
    assert.strictEqual((await drawn(project, "drawOrders")).svg, all.svg)
    assert.notStrictEqual((await drawn(project, "drawOrders", "importers")).svg, all.svg)
  })

  it("draws one folder alone, as the collection and its parameters say", async () => {
    const project = await projectIn(bikes, "bikes")
    const { folders } = parseJson(textOf("parameter-pack.json", project)) as {
      folders: ReadonlyArray<{ folder: string; files: number; imports: number }>
    }
    const [{ files, folder, imports } = assert.fail("no folder")] = folders
    const part = await drawn(project, "drawBikes", "lines", folder)
    assert.deepStrictEqual([part.count("circle"), part.count("path")], [files, imports])
    assert.include(textOf("collection-map.md", project), `\`${folder}\`: ${files} circles, ${imports} arcs; `)
  })

  it("draws names as text, whatever they hold", async () => {
    const [name] = Object.keys(await importOf(nasty))
    const { elements } = await drawn(nasty, name ?? "")
    assert.deepStrictEqual([...new Set(elements)].toSorted(), ["circle", "g", "svg", "title"])
  })

  it("names files of a collection by words alone, no two the same", () => {
    const { exports } = parseYaml(textOf("export-manifest.yaml", nasty)) as { exports: ReadonlyArray<{ files: ReadonlyArray<string> }> }
    const names = exports.flatMap(({ files }) => files)
    for (const name of names) assert.match(name, /^[a-z0-9-]+\.svg$/u)
    assert.strictEqual(new Set(names).size, names.length)
  })
})

/** What the sketch of the project exports. */
const importOf = async (project: Project): Promise<object> => {
  const folder = mkdtempSync(join(tmpdir(), "svc-sketch-"))
  try {
    writeFileSync(join(folder, "sketch.ts"), textOf("generative-sketch.ts", project))
    return await import(join(folder, "sketch.ts"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
