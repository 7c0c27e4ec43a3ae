/** CLAUDE.md: refers to AGENTS.md, and says what differs for Claude Code: its permissions. */
import { code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { lackedBy, section, textOf } from "./agents.ts"
import { checksOf } from "./checks.ts"
import { byOutcome, bySource, named, projectCommands } from "./commands.ts"
import type { ProjectCommand } from "./model.ts"
import { withoutTest } from "./one-test.ts"
import { runUnasked } from "./scripts.ts"
import { toolsOf } from "./tools.ts"

const MOST = 8

const oneTests = (project: Project): ReadonlyArray<ProjectCommand> =>
  projectCommands(project).filter(({ purpose }) => purpose === "one test").map((one) => ({ ...one, command: withoutTest(one.command) }))

const entryOf = ({ command }: ProjectCommand): string => code(`Bash(${command}:*)`)

/** A script is allowed with all that it runs, and with those that run unasked beside it. */
const scriptEntry = (project: Project, command: ProjectCommand): ReadonlyArray<Block> => {
  const { evidence: [first] } = command
  const beside = first.kind === "script" ? runUnasked(project, first) : []
  const runs = [...beside.map(({ subject }) => subject), ...toolsOf(project, command)].map((name) => code(name))
  return claimOf(`${entryOf(command)}${runs.length === 0 ? "" : `: ${list(runs)}`}`, [...command.evidence, ...beside])
}

/** Commands that read and check: they may run unasked. */
const allowed = (project: Project): ReadonlyArray<Block> => {
  const checks = checksOf(project, ["typecheck", "check", "lint", "build", "test"]).filter(({ folder }) => folder === ".").slice(0, MOST)
  const named = new Set(checks.map(({ command }) => command))
  const tests = oneTests(project).filter(({ command, folder }) => folder === "." && !named.has(command))
  return bySource([...tests, ...checks]).flatMap(([source, group]) => {
    if (source === undefined) return group.flatMap((command) => scriptEntry(project, command))
    const packages = group.flatMap(({ evidence: [first] }) => first.kind === "manifest" ? [code(first.subject, 60)] : [])
    const of = packages.length === 0 ? "" : `, of ${list([...new Set(packages)])}`
    return claimOf(`${list(group.map(entryOf))}${of}`, group.flatMap(({ evidence }) => evidence), source)
  })
}

/** Files that a generator writes. */
const denied = (project: Project): ReadonlyArray<Block> =>
  project.facts("generated").slice(0, MOST).flatMap((fact) => claimOf(`${code(`Edit(./${fact.evidence[0].path})`)}: generated`, [fact]))

/** Files of variables that hold values, not examples. */
const secret = (project: Project): ReadonlyArray<Block> =>
  project.facts("file").filter(({ evidence: [{ path }] }) => /(?:^|\/)\.env(?:\.(?!example|sample|template|dist)[\w.]+)?$/u.test(path))
    .slice(0, MOST).flatMap((fact) => claimOf(`${code(`Read(./${fact.evidence[0].path})`)}: values of variables`, [fact]))

const MOST_FOLDERS = 6

/** Folders with commands of their own: a memory file in each is read only when a file there is. */
const folders = (commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(commands, ({ folder }) => folder)).slice(0, MOST_FOLDERS).flatMap(([folder, ofFolder]) =>
    bySource(ofFolder).flatMap(([source, group]) => {
      const names = [...new Set(group.map(named))].slice(0, 4)
      return claimOf(`${code(folder)}: ${list(names)}`, group.map(({ evidence: [first] }) => first), source)
    })
  )

/** Claude Code puts the text of the file in the place of its name, which stands on a line of its own. */
const REFERENCE = ["@AGENTS.md", ""]

const referring = (blocks: ReadonlyArray<Block>): Artifact => {
  const { citations, evidence, text } = markdown(blocks)
  return {
    text: [...REFERENCE, text].join("\n"),
    evidence,
    citations: citations.map((citation) => ({ ...citation, at: Number(citation.at) + REFERENCE.length }))
  }
}

export const claude = (project: Project): Artifact => {
  const own = project.facts("file").find(({ evidence: [{ path }] }) => path === "CLAUDE.md")
  const text = textOf(project, "CLAUDE.md")
  const sections = [
    ...section("Allow", lackedBy(text, allowed(project))),
    ...section("Deny", lackedBy(text, [...denied(project), ...secret(project)])),
    ...byOutcome(project, projectCommands(project).filter(({ folder, purpose }) => folder !== "." && purpose !== "one test")).flatMap(
      ({ commands, facts, outcome }) => section(`By folder, ${outcome}`, lackedBy(text, folders(commands)), facts)
    )
  ]
  if (sections.length === 0 && own === undefined) {
    return referring([absence("Nothing differs for Claude Code.", project.searched())])
  }
  return referring([
    ...(own === undefined ? [] : [claim("`CLAUDE.md` of the repository goes first; below is what it lacks.", own)]),
    ...sections
  ])
}
