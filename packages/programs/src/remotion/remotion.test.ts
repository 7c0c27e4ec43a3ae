import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { makeProject, type Project } from "../facts/project.ts"
import { programs } from "../programs.ts"
import { citesWhatItSays, differs, givesTheSameBytes, saysWhatWasSearched } from "../testing/bars.ts"
import { bikes } from "../testing/bikes.fixture.ts"
import { complaints } from "../testing/compiled.ts"
import { hostile, NASTY } from "../testing/hostile.fixture.ts"
import { orders } from "../testing/orders.fixture.ts"
import { factsIn, installed, projectIn } from "../testing/repository.ts"
import { remotion } from "./program.ts"
import { framesOf, scenesOf } from "./scenes.ts"

const textOf = (path: string, project: Project): string =>
  remotion.artifacts.find((artifact) => artifact.path === path)?.make(project).text ?? assert.fail(`no artifact ${path}`)

const nasty = makeProject({ project_name: NASTY }, hostile)

describe("the program remotion", () => {
  it("makes what the contract lists, in its order", () => {
    const listed = programs.find(({ name }) => name === "remotion")?.artifacts.map(({ path }) => path)
    assert.deepStrictEqual(remotion.artifacts.map(({ path }) => path), listed)
  })

  it("says of a repository without evidence what it searched", () => saysWhatWasSearched(remotion))
  it("gives the same bytes in whatever order files come", async () => givesTheSameBytes(remotion, await factsIn(bikes)))
  it("cites what it shows of a shop", () => citesWhatItSays(remotion, bikes))
  it("cites what it shows of orders", () => citesWhatItSays(remotion, orders))
  it("shows of another repository something else", () => differs(remotion, bikes, installed("pino/lib")))

  it("writes a program that TypeScript takes with --strict and Remotion's types", async () => {
    const made = { bikes: await projectIn(bikes, "bikes"), nasty, empty: makeProject({ project_name: "empty" }, []) }
    const texts = Object.entries(made).map(([name, project]) => [`${name}.ts`, textOf("remotion-script.ts", project)] as const)
    assert.strictEqual(complaints(Object.fromEntries(texts)), "")
  })

  it("shows each scene after the one before, as long as the composition says", async () => {
    const project = await projectIn(bikes, "bikes")
    const scenes = scenesOf(project)
    assert.deepStrictEqual(scenes.map(({ title }) => title), ["bikes", "4 routes", "1 model", "1 module", "1 test"])
    let from = 0
    for (const scene of scenes) {
      assert.strictEqual(scene.from, from)
      from += scene.frames
    }
    const config = parseJson(textOf("render-config.json", project)) as { composition: object; scenes: ReadonlyArray<unknown> }
    assert.deepInclude(config.composition, { id: "bikes", durationInFrames: framesOf(scenes) })
    assert.lengthOf(config.scenes, scenes.length)
    assert.include(textOf("remotion-script.ts", project), `durationInFrames: ${from} }))`)
  })

  it("draws which module imports which", async () => {
    const scenes = scenesOf(await projectIn(orders, "orders"))
    const { lines = [], links = [] } = scenes.find(({ title }) => title.endsWith("modules")) ?? {}
    const [link = assert.fail("no link")] = links.filter(({ markdown }) => markdown === "`src/orders` → `src/store`")
    assert.deepStrictEqual([lines[link.from]?.text, lines[link.to]?.text], [
      "src/orders: listOrders, refundOrder",
      "src/store: findOrders, again"
    ])
  })

  it("tells pictures that are there from those that are not", async () => {
    const missing = textOf("asset-checklist.md", await projectIn(bikes, "bikes"))
    assert.include(missing, "## Named, and not in what was read\n\n- `docs/stations.png` in `README.md` (`README.md:5`)")
    const skipped = [{ path: "docs/stations.png", reason: "binary" }]
    const there = textOf("asset-checklist.md", makeProject({ project_name: "bikes" }, await factsIn(bikes), [], skipped))
    assert.include(there, "## Named, and there\n\n- `docs/stations.png` in `README.md` (`README.md:5`)")
  })
})
