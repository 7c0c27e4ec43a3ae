/** refactor-checklist.md: where a change of form is worth its risk, with what would break. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { testFiles } from "../map/uses.ts"
import { pageOf } from "../skills/page.ts"
import { unusedExports } from "./redundancy.ts"

const MOST = 12
const LONG_FUNCTION = 60
const LONG_FILE = 400

const linesOf = ({ evidence: [{ end_line, start_line }] }: Fact): number => end_line - start_line + 1

const longFunctions = (project: Project): ReadonlyArray<Block> => {
  const tests = testFiles(project)
  return project.facts("symbol")
    .filter((symbol) => (symbol.value.kind === "function" || symbol.value.kind === "method") && linesOf(symbol) > LONG_FUNCTION)
    .filter(({ evidence: [{ path }] }) => !tests.has(path))
    .toSorted((one, other) => linesOf(other) - linesOf(one)).slice(0, MOST)
    .flatMap((symbol) => {
      const callers = project.links.callers(symbol)
      const files = [...new Set(callers.map(({ evidence: [{ path }] }) => code(path)))].slice(0, 3)
      return claimOf(`${code(symbol.subject, 60)}: ${linesOf(symbol)} lines${files.length === 0 ? "" : `, called in ${list(files)}`}`, [
        symbol,
        ...callers
      ])
    })
}

const longFiles = (project: Project): ReadonlyArray<Block> =>
  project.facts("file").filter(({ value: { lines, role } }) => role === "source" && lines > LONG_FILE)
    .toSorted((one, other) => other.value.lines - one.value.lines).slice(0, MOST)
    .flatMap((file) => {
      const { path } = file.evidence[0]
      const symbols = project.factsOf(path, "symbol").filter(({ value: { container } }) => container === null)
      const largest = symbols.toSorted((one, other) => linesOf(other) - linesOf(one)).slice(0, 3)
      const parts = largest.length === 0 ? "" : `, most in ${list(largest.map(({ subject }) => code(subject, 60)))}`
      return claimOf(`${code(path)}: ${file.value.lines} lines${parts}`, [...largest, file])
    })

/** Two files that import each other. */
const mutual = (project: Project): ReadonlyArray<Block> =>
  project.facts("import").flatMap((fact) => {
    const { path } = fact.evidence[0]
    const target = project.links.target(fact)
    if (target === undefined || byText(path, target) >= 0) return []
    const back = project.factsOf(target, "import").find((other) => project.links.target(other) === path)
    return back === undefined ? [] : claimOf(`${code(path)} and ${code(target)} import each other`, [fact, back])
  }).slice(0, MOST)

/** One import of the path a file: some import its types apart from the rest. */
const importsOf = (project: Project, path: string): ReadonlyArray<Fact<"import">> =>
  [...new Map(project.links.importers(path).toReversed().map((fact) => [fact.evidence[0].path, fact])).values()].toReversed()

/** Files that many import and no test does. */
const unguarded = (project: Project): ReadonlyArray<Block> => {
  const tests = testFiles(project)
  return project.paths.filter((path) => !tests.has(path)).map((path) => ({ path, imports: importsOf(project, path) }))
    .filter(({ imports }) => imports.length > 4 && !imports.some(({ evidence: [span] }) => tests.has(span.path)))
    .toSorted((one, other) => other.imports.length - one.imports.length || byText(one.path, other.path)).slice(0, MOST)
    .flatMap(({ imports, path }) => claimOf(`${code(path)}: ${imports.length} importers, none a test`, imports))
}

const markers = (project: Project): ReadonlyArray<Block> =>
  project.facts("todo").slice(0, MOST).flatMap((todo) => claimOf(`${todo.subject}: ${code(todo.value.text, 120)}`, [todo]))

const unused = (project: Project): ReadonlyArray<Block> =>
  unusedExports(project).slice(0, MOST).flatMap((symbol) => claimOf(`${code(symbol.subject)} need not be exported`, [symbol]))

export const refactorChecklist = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: refactoring`, project.searched(), [
    { title: "Import each other", blocks: mutual(project), noun: "mutual import" },
    {
      title: `Functions over ${LONG_FUNCTION} lines`,
      blocks: longFunctions(project),
      noun: `function over ${LONG_FUNCTION} lines`
    },
    { title: `Files over ${LONG_FILE} lines`, blocks: longFiles(project), noun: `file over ${LONG_FILE} lines` },
    { title: "Imported often, by no test", blocks: unguarded(project) },
    { title: "Exported without need", blocks: unused(project) },
    { title: "Marked by authors", blocks: markers(project) }
  ])
}
