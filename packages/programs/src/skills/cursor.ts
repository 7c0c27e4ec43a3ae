/** .cursorrules: by the files that are open, what to run and what not to write. */
import { code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, heading } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { byTools } from "./agents.ts"
import { bySource, named, outcomeOf, projectCommands } from "./commands.ts"

const filesOf = (folder: string): string => folder === "." ? "any file" : `files in ${code(folder)}`

/** Checks of the folder, closest to the files that match; AGENTS.md says what came of those of the root. */
const afterEdits = (project: Project): ReadonlyArray<Block> =>
  Array.from(
    Map.groupBy(projectCommands(project).filter(({ purpose }) => purpose !== "build" && purpose !== "generate"), ({ folder }) => folder)
  )
    .slice(0, 12).flatMap(([folder, commands]) =>
      Array.from(Map.groupBy(commands, (command) => outcomeOf(project, command))).flatMap(([outcome, ended]) =>
        bySource(ended).flatMap(([source, group]) => {
          const names = group.slice(0, 5).map((command) => `${named(command)}${byTools(project, command)}`)
          return claimOf(`${filesOf(folder)} edited: ${list(names)} (${outcome})`, group.map(({ evidence: [first] }) => first), source)
        })
      )
    )

const untouched = (project: Project): ReadonlyArray<Block> =>
  project.facts("generated").slice(0, 8).flatMap((fact) =>
    claimOf(`${code(fact.evidence[0].path)} is written by a generator: leave it.`, [fact])
  )

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
  const blocks = [...afterEdits(project), ...untouched(project), ...farReaching(project)]
  return markdown([
    heading(1, "By file; the rest is in AGENTS.md"),
    ...(blocks.length > 0 ? blocks : [absence("No command, generated file or import.", project.searched())])
  ])
}
