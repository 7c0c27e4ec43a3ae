/** Which file imports which, and the circles among them. */
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { componentsOf, levelsOf, shortestCycle } from "./components.ts"
import { memo } from "./memo.ts"

type Import = Fact<"import">

export interface Edge {
  readonly from: string
  readonly to: string
  /** The imports that it is made of, in the order of paths and lines. */
  readonly imports: readonly [Import, ...ReadonlyArray<Import>]
}

export interface Graph {
  /** All ends of edges, sorted. */
  readonly nodes: ReadonlyArray<string>
  readonly edges: ReadonlyArray<Edge>
  readonly from: (node: string) => ReadonlyArray<Edge>
  readonly to: (node: string) => ReadonlyArray<Edge>
  /** One shortest circle of each knot: the last edge leads back to its first node. */
  readonly cycles: ReadonlyArray<ReadonlyArray<Edge>>
  /** How many steps of imports lie below a node: 0 imports nothing of the repository. Nodes of one knot have the same. */
  readonly level: (node: string) => number
}

const endsOf = (edges: ReadonlyArray<Edge>): ReadonlyArray<string> =>
  [...new Set(edges.flatMap(({ from, to }) => [from, to]))].toSorted(byText)

/** Types are gone when code runs, so circles of types close nothing. */
const runs = ({ imports }: Edge): boolean => imports.some(({ value }) => value.style !== "type")

const graphOf = (edges: ReadonlyArray<Edge>): Graph => {
  const nodes = endsOf(edges)
  const outgoing = Map.groupBy(edges, ({ from }) => from)
  const incoming = Map.groupBy(edges, ({ to }) => to)
  const from = (node: string) => outgoing.get(node) ?? []
  const targets = (node: string) => from(node).map(({ to }) => to)
  const running = (node: string) => from(node).filter(runs).map(({ to }) => to)
  const levels = levelsOf(componentsOf(nodes, targets), targets)
  const edgeOf = new Map(edges.map((edge) => [`${edge.from}\n${edge.to}`, edge]))
  return {
    nodes,
    edges,
    from,
    to: (node) => incoming.get(node) ?? [],
    cycles: componentsOf(nodes, running).filter((knot) => knot.length > 1).map((knot) => shortestCycle(knot, running))
      .toSorted((one, other) => one.length - other.length || byText(one[0] ?? "", other[0] ?? ""))
      .map((cycle) => cycle.flatMap((node, at) => edgeOf.get(`${node}\n${cycle[(at + 1) % cycle.length]}`) ?? [])),
    level: (node) => levels.get(node) ?? 0
  }
}

/** Edges of imports between what `nodeOf` makes of paths, such as folders. */
const edgesOf = (project: Project, nodeOf: (path: string) => string): ReadonlyArray<Edge> => {
  const imports = project.facts("import").flatMap((one) => {
    const target = project.links.target(one)
    if (target === undefined) return []
    const [from, to] = [nodeOf(one.evidence[0].path), nodeOf(target)]
    return from === to ? [] : [{ from, to, one }]
  })
  return Array.from(Map.groupBy(imports, ({ from, to }) => `${from}\n${to}`).values(), (group): ReadonlyArray<Edge> => {
    const [first, ...rest] = group
    return first === undefined ? [] : [{ from: first.from, to: first.to, imports: [first.one, ...rest.map(({ one }) => one)] }]
  }).flat().toSorted((one, other) => byText(one.from, other.from) || byText(one.to, other.to))
}

export const folderOf = (path: string): string => path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "."

export const fileGraph: (project: Project) => Graph = memo((project) => graphOf(edgesOf(project, (path) => path)))

/** Tests import what they test, from wherever they stand: they say nothing of how folders depend on each other. */
export const folderGraph: (project: Project) => Graph = memo((project) => {
  const isTest = new Set(project.facts("file").filter(({ value }) => value.role === "test").map(({ subject }) => subject))
  const edges = edgesOf(project, (path) => isTest.has(path) ? "" : folderOf(path))
  return graphOf(edges.filter(({ from, to }) => from !== "" && to !== ""))
})
