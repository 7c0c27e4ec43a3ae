/** redundancy-sweep-playbook.md: what a sweep finds here today, and what has to be looked at before something is deleted. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { pageOf } from "../skills/page.ts"
import { entriesOf, repeatedFunctions, unimportedFiles, unusedExports } from "./redundancy.ts"

const MOST = 30

const entries = (project: Project): ReadonlyArray<Block> =>
  entriesOf(project).slice(0, MOST).map(({ fact, path }) =>
    claim(`${code(path)} is named by ${code(fact.subject, 60)} (${fact.kind})`, fact)
  )

const repeated = (project: Project): ReadonlyArray<Block> =>
  repeatedFunctions(project).slice(0, MOST).flatMap((group) =>
    claimOf(`${code(group[0]?.subject ?? "")} has the same head in ${group.length} places`, group)
  )

/** What the file says first: what it exports, else what it imports. */
const unimported = (project: Project): ReadonlyArray<Block> =>
  unimportedFiles(project).slice(0, MOST).flatMap((file) => {
    const { path } = file.evidence[0]
    const symbols = project.factsOf(path, "symbol").filter(({ value: { container, kind } }) => container === null && kind !== "module")
      .slice(0, 3)
    const imports = symbols.length === 0 ? project.factsOf(path, "import").slice(0, 3) : []
    const names = [...symbols, ...imports].map(({ subject }) => code(subject, 60))
    const says = names.length === 0 ? "" : `, ${symbols.length === 0 ? "imports" : "declares"} ${list(names)}`
    return claimOf(`${code(path)} is imported nowhere${says}`, [...symbols, ...imports, file])
  })

const unused = (project: Project): ReadonlyArray<Block> =>
  unusedExports(project).slice(0, MOST).map((symbol) =>
    claim(`${code(symbol.subject)}: ${symbol.value.kind}, taken by no importer`, symbol)
  )

export const redundancySweepPlaybook = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: redundancy`, project.searched(), [
    { title: "Imported nowhere", blocks: unimported(project), noun: "unimported file" },
    { title: "Exported, and taken by nobody", blocks: unused(project), noun: "unused export" },
    { title: "Same heads", blocks: repeated(project), noun: "repeated function head" },
    { title: "Not redundant: named from outside", blocks: entries(project) }
  ])
}
