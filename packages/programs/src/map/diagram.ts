/** A drawing of the import graph: what its boxes and lines are, and in which row each box stands. The same facts give the same drawing. */
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { type Edge, fileGraph, folderGraph } from "./graph.ts"
import { memo } from "./memo.ts"
import { byLinks, factsOfModule, modulesOf } from "./modules.ts"
import { purposeOf } from "./purpose.ts"
import { exportsOf, roleOf } from "./uses.ts"
import { namesOf } from "./words.ts"

export interface Box {
  /** The path of a folder or of a file. */
  readonly path: string
  readonly files: number
  readonly lines: number
  readonly names: ReadonlyArray<string>
  readonly purpose: string | undefined
  /** What is imported by the row above stands below it; what imports nothing, at the end. */
  readonly row: number
  readonly column: number
  readonly evidence: ReadonlyArray<AnyFact>
}

export interface Diagram {
  readonly of: "files" | "folders"
  readonly boxes: ReadonlyArray<Box>
  readonly edges: ReadonlyArray<Edge>
  /** Boxes that there was no room for. */
  readonly left: number
}

/** More boxes are a carpet. */
const MOST = 36
/** A project of fewer files is drawn file by file. */
const FEW_FILES = 16
const ROW = 8

type Placed = Omit<Box, "row" | "column"> & { readonly level: number }

/** What it exports, else what it declares, imports or asks a database for. */
const knownBy = (project: Project, path: string): ReadonlyArray<AnyFact> =>
  [exportsOf(project, path), project.factsOf(path, "symbol"), project.factsOf(path, "import"), project.factsOf(path, "sql")]
    .find((facts) => facts.length > 0) ?? []

const fileBoxes = (project: Project): ReadonlyArray<Placed> =>
  project.facts("file").filter(({ value }) => value.role === "source" && value.lines > 1).map((file) => {
    const known = knownBy(project, file.subject)
    return {
      path: file.subject,
      files: 1,
      lines: file.value.lines,
      names: namesOf(known),
      purpose: purposeOf(project, file.subject)?.text,
      level: fileGraph(project).level(file.subject),
      evidence: known.length === 0 ? [file] : known.slice(0, 2)
    }
  })

const folderBoxes = (project: Project): ReadonlyArray<Placed> =>
  byLinks(modulesOf(project)).slice(0, MOST).map((module) => ({
    path: module.folder,
    files: module.files.length,
    lines: module.files.reduce((sum, { value }) => sum + value.lines, 0),
    names: namesOf(module.names),
    purpose: module.purpose?.text,
    level: module.level,
    evidence: factsOfModule(module)
  }))

/** Rows of at most so many boxes, the highest level first. Within one, boxes stand below those that import them. */
const inRows = (boxes: ReadonlyArray<Placed>, edges: ReadonlyArray<Edge>): ReadonlyArray<Box> => {
  const importers = Map.groupBy(edges, ({ to }) => to)
  const columns = new Map<string, number>()
  const placed: Array<Box> = []
  const above = ({ path }: Placed): number => {
    const known = (importers.get(path) ?? []).flatMap(({ from }) => columns.get(from) ?? [])
    return known.length === 0 ? ROW : known.reduce((sum, column) => sum + column, 0) / known.length
  }
  const levels = [...Map.groupBy(boxes, ({ level }) => level)].toSorted(([one], [other]) => other - one)
  let row = 0
  for (const [, group] of levels) {
    const ranked = group.map((box) => ({ box, rank: above(box) }))
      .toSorted((one, other) => one.rank - other.rank || byText(one.box.path, other.box.path))
    for (const [at, { box: { level: _, ...box } }] of ranked.entries()) {
      const column = at % ROW
      columns.set(box.path, column)
      placed.push({ ...box, row: row + Math.floor(at / ROW), column })
    }
    row += Math.ceil(group.length / ROW)
  }
  return placed
}

export const diagramOf: (project: Project) => Diagram = memo((project) => {
  const sources = project.facts("file").filter(({ value }) => value.role === "source").length
  const of = sources <= FEW_FILES ? "files" : "folders"
  const boxes = of === "files" ? fileBoxes(project) : folderBoxes(project)
  const shown = new Set(boxes.map(({ path }) => path))
  const graph = of === "files" ? fileGraph(project) : folderGraph(project)
  const edges = graph.edges.filter(({ from, to }) => shown.has(from) && shown.has(to) && roleOf(project, from) !== "test")
  const all = of === "files" ? sources : modulesOf(project).length
  return { of, boxes: inRows(boxes, edges), edges, left: all - boxes.length }
})
