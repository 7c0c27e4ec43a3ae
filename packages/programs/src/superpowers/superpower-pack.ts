/** superpower-pack.md: everything that one line starts here: scripts, command lines, programs that a manifest installs. */
import { code } from "../claims/inline.ts"
import { type Artifact, type Block, claim, type Table } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { commandSections } from "../skills/agents.ts"
import { projectCommands } from "../skills/commands.ts"
import { pageOf } from "../skills/page.ts"
import { callOf, folderOf } from "../skills/scripts.ts"

const MOST = 40

/** Scripts that are no check, such as servers, benchmarks and releases. */
const others = (project: Project): ReadonlyArray<Table> => {
  const known = new Set(projectCommands(project).flatMap(({ evidence, purpose }) => purpose === "one test" ? [] : [...evidence]))
  const rows = project.facts("script").filter((script) => !known.has(script)).slice(0, MOST).flatMap((script) => {
    const call = callOf(project, script)
    return call === undefined
      ? []
      : [{ cells: [code(call), code(folderOf(script)), code(script.value.command, 120)], evidence: [script] as const }]
  })
  return rows.length === 0 ? [] : [{ block: "table", columns: ["line", "folder", "runs"], rows }]
}

const installed = (project: Project): ReadonlyArray<Block> =>
  project.facts("entry").filter(({ subject }) => /^(?:bin|scripts)(?:\.|$)/u.test(subject)).slice(0, MOST).map((entry) => {
    const name = /^\w+\.(.+)$/u.exec(entry.subject)?.[1] ?? entry.value.package ?? entry.subject
    return claim(`${code(name, 60)} starts ${code(entry.value.target)}`, entry)
  })

const commands = (project: Project): ReadonlyArray<Block> =>
  project.facts("command").slice(0, MOST).map((command) =>
    claim(`${code(command.subject, 60)}${command.value.description === null ? "" : `: ${code(command.value.description)}`}`, command)
  )

export const superpowerPack = (project: Project): Artifact =>
  pageOf(`${project.description.project_name}: what one line starts`, project.searched(), [
    ...commandSections(project, projectCommands(project).slice(0, MOST)).map(({ blocks, outcome }) => ({
      title: `Checks, ${outcome}`,
      blocks
    })),
    { title: "Other scripts", blocks: others(project), noun: "other script" },
    { title: "Installed programs", blocks: installed(project) },
    { title: "Commands of the code", blocks: commands(project) }
  ])
