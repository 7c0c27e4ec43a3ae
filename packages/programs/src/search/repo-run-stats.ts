/** repo-run-stats.json: what was read and what was not, so that a reader knows what the other artifacts cannot know. */
import { citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { AnyFact, FactKind } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { fileGraph } from "../map/graph.ts"
import { pathOf } from "../map/uses.ts"

/** Every file gives a fact that it is there; what resolves imports says nothing else. */
const kindsOf = ({ kinds }: Project): ReadonlyArray<FactKind> => kinds.filter((kind) => kind !== "file" && kind !== "resolution")

const kinds = (project: Project): ReadonlyArray<Value> =>
  kindsOf(project).flatMap((kind) => {
    const facts = project.facts(kind) as ReadonlyArray<AnyFact>
    const [first] = facts
    return first === undefined
      ? []
      : citedOf({ kind, found: facts.length, files: new Set(facts.map(pathOf)).size, first: first.subject }, [first])
  })

const endingOf = (path: string): string => /[^/.](\.[^./]+)$/u.exec(path)?.[1] ?? path.slice(path.lastIndexOf("/") + 1)

/** Files of which nothing but their size is known, by the ends of their names. */
const unread = (project: Project): ReadonlyArray<Value> => {
  const told = new Set(kindsOf(project).flatMap((kind) => project.facts(kind)).map(pathOf))
  const silent = project.facts("file").filter(({ subject }) => !told.has(subject))
  return Array.from(Map.groupBy(silent, ({ subject }) => endingOf(subject)))
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other))
    .flatMap(([ending, files]) => citedOf({ unread: ending, files: files.length }, files))
}

/** Imports that lead to no file here and are no package, and calls whose function is not known: what "who calls it" does not see. */
const links = (project: Project): Value => {
  const imports = project.facts("import")
  const relative = imports.filter(({ subject }) => subject.startsWith("."))
  return {
    imports: imports.length,
    "imports of files here": fileGraph(project).edges.reduce((total, edge) => total + edge.imports.length, 0),
    "relative imports that lead nowhere": relative.filter((one) => project.links.target(one) === undefined).length,
    calls: project.facts("call").length,
    "calls whose symbol is known": project.facts("symbol").reduce((total, symbol) => total + project.links.callers(symbol).length, 0)
  }
}

/** Files that were left out, by the reason. They have no lines to cite. */
const skipped = (project: Project): ReadonlyArray<Value> =>
  Array.from(Map.groupBy(project.skipped, ({ reason }) => reason), ([reason, files]) => ({
    skipped: reason,
    files: files.length,
    such: files.slice(0, 3).map(({ path }) => path)
  }))

export const repoRunStats = (project: Project): Artifact =>
  jsonLines({
    searched: `${project.paths.length} files`,
    facts: kinds(project),
    links: links(project),
    unread: unread(project),
    skipped: skipped(project)
  })
