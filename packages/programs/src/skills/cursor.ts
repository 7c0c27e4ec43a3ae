/** .cursorrules: by the files that are open, what to run and what not to write. */
import { capitalized, code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, heading } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { section } from "./agents.ts"
import { byOutcome, bySource, named, projectCommands } from "./commands.ts"
import type { ProjectCommand } from "./model.ts"
import { withoutTest } from "./one-test.ts"
import { toolsOf } from "./tools.ts"

const MOST_FOLDERS = 12

/** The command with what does its work; AGENTS.md names one test, whose file is seldom the one that was edited. */
const shown = (project: Project, command: ProjectCommand): string => {
  if (command.purpose === "one test") return `one test: ${code(withoutTest(command.command))}`
  const tools = toolsOf(project, command).map((tool) => code(tool))
  return `${named(command)}${tools.length === 0 ? "" : ` by ${list(tools)}`}`
}

/** Checks by folder, closest to the files that match. */
const ofFolders = (project: Project, commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(commands, ({ folder }) => folder)).slice(0, MOST_FOLDERS).flatMap(([folder, ofFolder]) => {
    const all = new Set(ofFolder.map(({ command }) => command))
    const told = ofFolder.filter(({ command, purpose }) => purpose !== "one test" || !all.has(withoutTest(command)))
    const within = folder === "." ? "" : `in ${code(folder)}: `
    return bySource(told).flatMap(([source, group]) => {
      const few = group.slice(0, 5)
      return claimOf(`${within}${list(few.map((command) => shown(project, command)))}`, few.flatMap(({ evidence }) => evidence), source)
    })
  })

/** What is worth running after an edit, by what came of it here. */
const afterEdits = (project: Project): ReadonlyArray<Block> =>
  byOutcome(project, projectCommands(project).filter(({ purpose }) => purpose !== "build" && purpose !== "generate")).flatMap(
    ({ commands, facts, outcome }) => section(capitalized(outcome), ofFolders(project, commands), facts)
  )

const untouched = (project: Project): ReadonlyArray<Block> =>
  project.facts("generated").slice(0, 8).flatMap((fact) => claimOf(`${code(fact.evidence[0].path)} is generated: leave it.`, [fact]))

/** Files that most others import: an edit there reaches far. */
const farReaching = (project: Project): ReadonlyArray<Block> =>
  project.paths.filter((path) => !path.endsWith(".json")).map((path) => ({ path, importers: project.links.importers(path) }))
    .filter(({ importers }) => importers.length > 4)
    .toSorted((one, other) => other.importers.length - one.importers.length)
    .slice(0, 6)
    .flatMap(({ importers, path }) => {
      const tests = importers.filter(({ evidence: [span] }) => project.factsOf(span.path, "test").length > 0)
      const by = [...new Set(tests.map(({ evidence: [span] }) => code(span.path)))].slice(0, 2)
      return claimOf(`${code(path)} has ${importers.length} importers${by.length === 0 ? "" : `; tests: ${list(by)}`}.`, [
        ...tests,
        ...importers
      ])
    })

export const cursor = (project: Project): Artifact => {
  const blocks = [...untouched(project), ...farReaching(project), ...afterEdits(project)]
  return markdown([
    heading(1, "Beside AGENTS.md"),
    ...(blocks.length > 0 ? blocks : [absence("No command, generated file or import.", project.searched())])
  ])
}
