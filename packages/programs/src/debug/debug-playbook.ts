/** debug-playbook.md: from what is seen (a message, a log line) to the place that writes it, and to who calls that place. */
import { code } from "../claims/inline.ts"
import { type Artifact, type Block, claim, type Table } from "../claims/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { pageOf } from "../skills/page.ts"
import { callersOf, callersText, inUse, silentCatches } from "./sites.ts"

const MOST = 80

interface Row {
  readonly message: string
  readonly row: Table["rows"][number]
}

const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadonlyArray<Block> =>
  rows.length === 0
    ? []
    : [{
      block: "table",
      columns,
      rows: rows.toSorted((one, other) => byText(one.message, other.message)).slice(0, MOST).map(({ row }) => row)
    }]

const errors = (project: Project): ReadonlyArray<Block> =>
  table(
    ["message", "error", "in", "called by"],
    inUse(project, project.facts("error")).flatMap((error) => {
      const { evidence: [{ path }], subject, value: { message, style, within } } = error
      if (style === "catch" || message === null) return []
      const callers = callersOf(project, path, within)
      const cells = [code(message), code(subject, 40), within === null ? "" : code(within, 60), callersText(callers)]
      return [{ message, row: { cells, evidence: [error, ...callers] as const } }]
    })
  )

const logs = (project: Project): ReadonlyArray<Block> =>
  table(
    ["line", "level", "in", "called by"],
    inUse(project, project.facts("log")).flatMap((log) => {
      const { evidence: [{ path }], value: { level, message, within } } = log
      if (message === null) return []
      const callers = callersOf(project, path, within)
      const cells = [code(message), code(level, 20), within === null ? "" : code(within, 60), callersText(callers)]
      return [{ message, row: { cells, evidence: [log, ...callers] as const } }]
    })
  )

const isClass = (name: string): boolean => /^(?:.*[.:])?\p{Lu}[^.:]*$/u.test(name)

/** Errors that say nothing but their class. What passes an error on, such as `throw error`, is none. */
const wordless = (project: Project): ReadonlyArray<Block> =>
  inUse(project, project.facts("error"))
    .filter(({ subject, value: { message, style } }) => style !== "catch" && message === null && isClass(subject)).slice(0, 20)
    .map((error) => claim(`${code(error.subject, 60)}${error.value.within === null ? "" : ` in ${code(error.value.within, 60)}`}`, error))

const silent = (project: Project): ReadonlyArray<Block> =>
  silentCatches(project).slice(0, 20).map((error) =>
    claim(`a catch${error.value.within === null ? "" : ` in ${code(error.value.within, 60)}`} logs and throws nothing`, error)
  )

export const debugPlaybook = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: from symptom to place`, project.searched(), [
    { title: "Messages of errors", blocks: errors(project), noun: "error message" },
    { title: "Lines of logs", blocks: logs(project), noun: "log line" },
    { title: "Errors without a message", blocks: wordless(project) },
    { title: "Nothing is seen of", blocks: silent(project) }
  ])
}
