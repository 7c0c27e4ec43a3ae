/** root-cause-checklist.md: what has gone wrong unseen in this repository, in the order in which it is quickest to rule out. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { pageOf } from "../skills/page.ts"
import { lockFiles, missingFromExample, unguardedEnvironment } from "../skills/silent.ts"
import { inUse, silentCatches } from "./sites.ts"

const MOST = 15

/** Packages of which a lock file has several versions. */
const severalVersions = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("locked"), ({ evidence: [{ path }], subject }) => `${path} ${subject}`)).flatMap(([, facts]) => {
    const [first] = facts
    const versions = [...new Set(facts.map(({ value: { version } }) => code(version, 30)))]
    const direct = facts.some(({ value }) => value.direct)
    return first === undefined || versions.length < 2 || !direct
      ? []
      : claimOf(`${code(first.subject)} is locked as ${list(versions.slice(0, 4))}.`, facts)
  }).slice(0, MOST)

const swallowed = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(silentCatches(project), ({ evidence: [{ path }] }) => path))
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, MOST).flatMap(
      ([path, facts]) => {
        const within = [...new Set(facts.flatMap(({ value }) => value.within === null ? [] : [code(value.within, 40)]))].slice(0, 4)
        return claimOf(`${code(path)}: catch without log or throw${within.length === 0 ? "" : ` in ${list(within)}`}`, facts)
      }
    )

const notes = (project: Project): ReadonlyArray<Block> =>
  project.facts("todo").slice(0, MOST).map((todo) => claim(`${todo.subject}: ${code(todo.value.text, 140)}`, todo))

/** Statements by the table: who writes what another reads. */
const statements = (project: Project): ReadonlyArray<Block> => {
  const writes = inUse(project, project.facts("sql")).flatMap((sql) => sql.value.writes.map((table) => ({ table, sql })))
  const byTable = Map.groupBy(writes, ({ table }) => table)
  return Array.from(byTable).toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, MOST)
    .flatMap(([table, all]) => {
      const paths = [...new Set(all.map(({ sql: { evidence: [{ path }] } }) => code(path)))]
      return claimOf(`${code(table, 60)} is written by ${list(paths.slice(0, 4))}.`, all.map(({ sql }) => sql))
    })
}

export const rootCauseChecklist = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: causes to rule out`, project.searched(), [
    {
      title: "Environment",
      blocks: [...missingFromExample(project), ...unguardedEnvironment(project, MOST)],
      noun: "unguarded variable"
    },
    {
      title: "Versions",
      blocks: [...lockFiles(project), ...severalVersions(project)],
      noun: "package locked twice"
    },
    { title: "Swallowed errors", blocks: swallowed(project), noun: "silent catch" },
    { title: "Written tables", blocks: statements(project) },
    { title: "Notes of authors", blocks: notes(project) }
  ])
}
