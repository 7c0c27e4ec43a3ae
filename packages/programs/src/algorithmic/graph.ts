/** What a sketch draws: files with their sizes, and which imports which. */
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { fileGraph, folderOf } from "../map/graph.ts"
import { memo } from "../map/memo.ts"
import { exportsOf } from "../map/uses.ts"

export const WEIGHTS = ["lines", "importers", "exports"] as const
export type Weight = (typeof WEIGHTS)[number]

export interface Node {
  readonly path: string
  readonly file: Fact<"file">
  /** How many steps of imports lie below it, which is its ring. */
  readonly level: number
  readonly x: number
  readonly y: number
  readonly hue: number
  readonly weights: Readonly<Record<Weight, number>>
  /** Facts that its weights are counted of. */
  readonly facts: ReadonlyArray<AnyFact>
}

export interface Edge {
  readonly from: number
  readonly to: number
  readonly imports: readonly [Fact<"import">, ...ReadonlyArray<Fact<"import">>]
}

export interface Drawing {
  readonly nodes: ReadonlyArray<Node>
  /** By the places of their ends in the list of nodes. */
  readonly edges: ReadonlyArray<Edge>
  /** Folders with more than one of the nodes, those with most first; each is a drawing of its own. */
  readonly folders: ReadonlyArray<string>
  /** A number of 32 bits that the paths, sizes and imports give. */
  readonly seed: number
}

const MOST_NODES = 60
const MOST_EDGES = 120
const MOST_FOLDERS = 6

const FIRST_RING = 60
const RING = 90
/** Degrees between the colours of one level and the next. */
const HUE = 47

/** FNV-1a, in 32 bits. */
const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0, 0x811c9dc5)

interface Measured extends Omit<Node, "x" | "y" | "hue"> {}

/** Files of a level stand round its ring at equal distances; the seed turns rings and colours. */
const placed = (nodes: ReadonlyArray<Measured>, seed: number): ReadonlyArray<Node> => {
  const rings = Map.groupBy(nodes, ({ level }) => level)
  const turns = new Map(Array.from(rings.values()).flatMap((ring) => ring.map((node, at) => [node, at / ring.length] as const)))
  return nodes.map((node) => {
    const angle = 2 * Math.PI * ((turns.get(node) ?? 0) + (seed % 360) / 360 + node.level / 7)
    const radius = FIRST_RING + RING * node.level
    return {
      ...node,
      x: Math.round(radius * Math.cos(angle)),
      y: Math.round(radius * Math.sin(angle)),
      hue: (seed + HUE * node.level) % 360
    }
  })
}

/** The files with most links, in the order of their paths. */
export const drawingOf: (project: Project) => Drawing = memo((project) => {
  const graph = fileGraph(project)
  const links = (path: string): number => graph.from(path).length + graph.to(path).length
  const nodes = project.facts("file").filter(({ value }) => value.role === "source")
    .toSorted((one, other) => links(other.subject) - links(one.subject) || byText(one.subject, other.subject)).slice(0, MOST_NODES)
    .toSorted((one, other) => byText(one.subject, other.subject))
    .map((file): Measured => {
      const [importers, exports] = [graph.to(file.subject), exportsOf(project, file.subject)]
      return {
        path: file.subject,
        file,
        level: graph.level(file.subject),
        weights: { lines: file.value.lines, importers: importers.length, exports: exports.length },
        facts: [
          ...exports.slice(0, 1),
          ...importers.map(({ imports }) => imports[0]),
          ...project.factsOf(file.subject, "symbol").slice(0, 1),
          ...project.factsOf(file.subject, "import").slice(0, 1),
          file
        ]
      }
    })
  const places = new Map(nodes.map(({ path }, at) => [path, at]))
  const edges = graph.edges.flatMap(({ from, imports, to }): ReadonlyArray<Edge> => {
    const [source, target] = [places.get(from), places.get(to)]
    return source === undefined || target === undefined ? [] : [{ from: source, to: target, imports }]
  }).slice(0, MOST_EDGES)
  const folders = Array.from(Map.groupBy(nodes, ({ path }) => folderOf(path))).filter(([, group]) => group.length > 1)
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, MOST_FOLDERS)
    .map(([folder]) => folder)
  const seed = hashOf(JSON.stringify([nodes.map(({ path, weights }) => [path, weights]), edges.map(({ from, to }) => [from, to])]))
  return { nodes: placed(nodes, seed), edges, folders, seed }
})

/** From the middle to the border, circles of the outermost ring included. */
export const radiusOf = ({ nodes }: Pick<Drawing, "nodes">): number =>
  FIRST_RING + 30 + RING * Math.max(0, ...nodes.map(({ level }) => level))

export const sizeOf = (drawing: Pick<Drawing, "nodes">): number => 2 * radiusOf(drawing)

/** What is drawn of one folder, or of all where none is named. */
export interface Part {
  readonly folder: string | undefined
  readonly nodes: ReadonlyArray<Node>
  readonly edges: ReadonlyArray<Edge>
}

export const partsOf = ({ edges, folders, nodes }: Drawing): ReadonlyArray<Part> =>
  nodes.length === 0 ? [] : [undefined, ...folders].map((folder) => {
    const isIn = (node: Node | undefined): boolean => node !== undefined && (folder === undefined || folderOf(node.path) === folder)
    return { folder, nodes: nodes.filter(isIn), edges: edges.filter(({ from, to }) => isIn(nodes[from]) && isIn(nodes[to])) }
  })

export const heaviest = ({ nodes }: Part, weight: Weight): Node | undefined =>
  nodes.toSorted((one, other) => other.weights[weight] - one.weights[weight] || byText(one.path, other.path))[0]

/** What a file is known by: what it exports, else what it is imported by, declares or imports. */
export const nameOf = ({ facts: [first], path }: Node): string => first?.subject ?? path

export const totalOf = ({ nodes }: Part, weight: Weight): number => nodes.reduce((sum, { weights }) => sum + weights[weight], 0)

/** What an absence of a drawing has searched. */
export const NO_FILES = "No file of source code."
