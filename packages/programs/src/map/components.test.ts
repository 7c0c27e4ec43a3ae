import { assert, describe, it } from "@effect/vitest"
import { componentsOf, levelsOf, shortestCycle } from "./components.ts"

const targetsOf = (edges: Readonly<Record<string, ReadonlyArray<string>>>) => (node: string) => edges[node] ?? []

describe("knots of a graph", () => {
  const targets = targetsOf({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["e"], e: ["d"] })
  const components = componentsOf(["a", "b", "c", "d", "e"], targets)

  it("come after those that they lead to", () => {
    assert.deepStrictEqual(components, [["d", "e"], ["a", "b", "c"]])
  })

  it("have one level", () => {
    assert.deepStrictEqual([...levelsOf(components, targets)], [["d", 0], ["e", 0], ["a", 1], ["b", 1], ["c", 1]])
  })

  it("have a shortest way round", () => {
    assert.deepStrictEqual(shortestCycle(["a", "b", "c"], targetsOf({ a: ["b", "c"], b: ["c"], c: ["a"] })), ["a", "c"])
  })

  it("are found in a chain that is too long for recursion", () => {
    const nodes = Array.from({ length: 20_000 }, (_, at) => String(at))
    assert.lengthOf(componentsOf(nodes, (node) => node === "19999" ? [] : [String(Number(node) + 1)]), 20_000)
  })
})
