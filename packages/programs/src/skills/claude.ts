/** CLAUDE.md: refers to AGENTS.md, and says what differs for Claude Code: its permissions. */
import { code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, claim, heading } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { lackedBy, textOf } from "./agents.ts"
import { checksOf } from "./checks.ts"
import { bySource, named, projectCommands } from "./commands.ts"

const MOST = 8

/** Commands that read and check: they may run unasked. */
const allowed = (project: Project): ReadonlyArray<Block> => {
  const commands = checksOf(project, ["typecheck", "check", "lint", "build", "test"]).filter(({ folder }) => folder === ".").slice(0, MOST)
  return bySource(commands).flatMap(([source, group]) => {
    const entries = group.map(({ command }) => code(`Bash(${command}:*)`))
    const packages = group.flatMap(({ evidence: [first] }) => first.kind === "manifest" ? [code(first.subject, 60)] : [])
    return claimOf(
      `allow ${list(entries)}${packages.length === 0 ? "" : `, of ${list([...new Set(packages)])}`}`,
      group.map(({ evidence: [first] }) => first),
      source
    )
  })
}

/** Files that a generator writes. */
const denied = (project: Project): ReadonlyArray<Block> =>
  project.facts("generated").slice(0, MOST).flatMap((fact) =>
    claimOf(`deny ${code(`Edit(./${fact.evidence[0].path})`)}: generated`, [fact])
  )

/** Files of variables that hold values, not examples. */
const secret = (project: Project): ReadonlyArray<Block> =>
  project.facts("file").filter(({ evidence: [{ path }] }) => /(?:^|\/)\.env(?:\.(?!example|sample|template|dist)[\w.]+)?$/u.test(path))
    .slice(0, MOST).flatMap((fact) => claimOf(`deny ${code(`Read(./${fact.evidence[0].path})`)}: values of variables`, [fact]))

/** Folders with commands of their own: a memory file in each is read only when a file there is. */
const folders = (project: Project): ReadonlyArray<Block> =>
  Array.from(
    Map.groupBy(projectCommands(project).filter(({ folder, purpose }) => folder !== "." && purpose !== "one test"), ({ folder }) => folder)
  ).slice(0, 6).flatMap(([folder, commands]) =>
    bySource(commands).flatMap(([source, group]) => {
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
  const permissions = lackedBy(text, [...allowed(project), ...denied(project), ...secret(project)])
  const inner = lackedBy(text, folders(project))
  if (permissions.length + inner.length === 0 && own === undefined) {
    return referring([absence("Nothing differs for Claude Code.", project.searched())])
  }
  return referring([
    ...(own === undefined ? [] : [claim("`CLAUDE.md` of the repository goes first; below is what it lacks.", own)]),
    ...(permissions.length === 0 ? [] : [heading(2, "Permissions"), ...permissions]),
    ...(inner.length === 0 ? [] : [heading(2, "By folder"), ...inner])
  ])
}
