/**
 * context.md: for each area the fewest files to read: those that the rest of the project imports from it, until four of five imports
 * from outside are understood.
 */
import { absence, type Artifact } from "../claims/model.ts"
import { page, type Row, rowOf, table } from "../claims/sections.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { fileGraph, folderOf } from "../map/graph.ts"
import { byLinks, type Module, modulesOf } from "../map/modules.ts"
import { exportsOf, isTestFile } from "../map/uses.ts"
import { code, listed, namesOf } from "../map/words.ts"

const MOST_AREAS = 20
const MOST_FILES = 5
const ENOUGH = 0.8

interface Chosen {
  readonly path: string
  readonly lines: number
  readonly imports: ReadonlyArray<AnyFact>
}

/** Imports from other folders first; where there are none, those within the folder. */
const filesOf = (project: Project, { files, folder }: Module): ReadonlyArray<Chosen> => {
  const importers = (path: string, isInside: boolean) =>
    fileGraph(project).to(path).filter(({ from }) => (folderOf(from) === folder) === isInside && !isTestFile(project, from))
  const counted = (isInside: boolean) =>
    files.map(({ subject, value: { lines } }): Chosen => ({
      path: subject,
      lines,
      imports: importers(subject, isInside).map(({ imports }) => imports[0])
    })).filter(({ imports }) => imports.length > 0)
  const outside = counted(false)
  const found = (outside.length > 0 ? outside : counted(true))
    .toSorted((one, other) => other.imports.length - one.imports.length || one.lines - other.lines || byText(one.path, other.path))
  const all = found.reduce((sum, { imports }) => sum + imports.length, 0)
  const chosen: Array<Chosen> = []
  let understood = 0
  for (const one of found) {
    if (chosen.length === MOST_FILES || understood >= ENOUGH * all) break
    chosen.push(one)
    understood += one.imports.length
  }
  return chosen
}

/** A folder of one file needs no choice. */
const small = ({ files }: Module): ReadonlyArray<Chosen> =>
  files.length === 1 ? files.map(({ subject, value: { lines } }) => ({ path: subject, lines, imports: [] })) : []

const row = (project: Project, module: Module): ReadonlyArray<Row> => {
  const found = filesOf(project, module)
  const chosen = found.length > 0 ? found : small(module)
  const sum = (lines: ReadonlyArray<number>): number => lines.reduce((all, one) => all + one, 0)
  const files = chosen.map(({ path }) => {
    const exported = exportsOf(project, path)
    return exported.length === 0 ? code(path) : `${code(path)}: ${listed(namesOf(exported), 3)}`
  })
  const said = chosen.flatMap(({ path }) => exportsOf(project, path).slice(0, 1))
  return chosen.length === 0 ? [] : rowOf([
    code(module.name),
    files.join("; "),
    `${sum(chosen.map(({ lines }) => lines))} of ${sum(module.files.map(({ value }) => value.lines))}`,
    listed(module.tests, 2)
  ], [...said, ...chosen.flatMap(({ imports }) => imports), ...module.names, ...module.files])
}

export const context = (project: Project): Artifact =>
  page(`${project.description.project_name}: what to read`, [{
    title: "By area",
    blocks: table(
      ["area", "read", "lines", "tested in"],
      byLinks(modulesOf(project)).slice(0, MOST_AREAS).flatMap((module) => row(project, module))
    ),
    none: absence("No folder of code in which one file imports another.", project.searched({ roles: ["source", "test"] }))
  }])
