/** tasks.md: gaps that facts show, each with its line, so that whoever closes one sees when it is closed. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import { functionOf, inUse, silentCatches } from "../debug/sites.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { pathOf } from "../map/uses.ts"
import { count } from "../map/words.ts"
import { mostUsed } from "../notebook/most-used.ts"
import { unguardedReads } from "../skills/silent.ts"
import { type Known, knownOperations } from "./operations.ts"

const MOST = 12

/** A box to tick, as GitHub and editors show it. */
const task = (text: string, facts: ReadonlyArray<AnyFact>): ReadonlyArray<Block> => claimOf(`[ ] ${text}`, facts)

const marked = (project: Project): ReadonlyArray<Block> =>
  inUse(project, project.facts("todo")).slice(0, 2 * MOST).flatMap((todo) => task(code(todo.value.text, 160), [todo]))

const swallowed = (project: Project): ReadonlyArray<Block> =>
  silentCatches(project).slice(0, MOST).flatMap((error) =>
    task(`${code(error.value.within ?? pathOf(error), 80)} in ${code(pathOf(error))} catches ${code(error.subject, 60)}`, [
      error,
      ...[functionOf(project, pathOf(error), error.value.within) ?? []].flat()
    ])
  )

/** Nothing is said of tests where none is known: then the reader knows of no tests, and not of untested code. */
const missing = (project: Project, { documents, operation, tests }: Known): ReadonlyArray<string> => [
  ...(tests.length === 0 && project.facts("test").length > 0 ? ["test"] : []),
  ...(documents.length === 0 && operation.description === null ? ["document"] : [])
]

/** Those that lack both first. */
const asked = (project: Project): ReadonlyArray<Block> =>
  knownOperations(project).filter(({ operation }) => operation.kind !== "function")
    .map(({ operation, ...known }) => ({ operation, lacks: missing(project, { operation, ...known }) }))
    .filter(({ lacks }) => lacks.length > 0).toSorted((one, other) => other.lacks.length - one.lacks.length).slice(0, 2 * MOST)
    .flatMap(({ lacks, operation: { evidence, handler, name } }) =>
      task(`${code(name)}${handler === null ? "" : ` by ${code(handler, 60)}`}: ${lacks.join(", ")}`, [...evidence])
    )

const untested = (project: Project): ReadonlyArray<Block> =>
  project.facts("test").length === 0 ?
    [] :
    mostUsed(project).filter(({ symbol: { value: { kind } }, tests, uses }) =>
      tests.length === 0 && uses.length > 0 && (kind === "function" || kind === "class")
    ).slice(0, MOST).flatMap(({ symbol, uses }) => task(`${code(symbol.subject, 60)}: ${count(uses.length, "use")}`, [symbol, ...uses]))

const unguarded = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(unguardedReads(project), ({ subject }) => subject)).slice(0, MOST).flatMap(([name, reads]) =>
    task(`${code(name)} in ${code(reads[0] === undefined ? "" : pathOf(reads[0]))}`, reads)
  )

export const tasks = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source", "test"] })
  return page(`${project.description.project_name}: gaps`, [
    { title: "Marked by authors", blocks: marked(project), none: absence("No TODO or FIXME.", sources) },
    { title: "Caught, neither logged nor thrown", blocks: swallowed(project), none: absence("No silent catch.", sources) },
    { title: "Can be asked, and no test imports it, or no document names it", blocks: asked(project) },
    { title: "Used, and imported or called by no test", blocks: untested(project) },
    { title: "Read without fallback or check", blocks: unguarded(project), none: absence("No unguarded variable.", sources) }
  ])
}
