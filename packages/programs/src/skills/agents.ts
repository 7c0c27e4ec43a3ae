/** AGENTS.md: at most 40 lines of what one look does not show. */
import { code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, claim, heading, rule, sourced } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { checksOf } from "./checks.ts"
import { named, outcomeOf, projectCommands } from "./commands.ts"
import type { ProjectCommand } from "./model.ts"
import { segmentsOf } from "./scripts.ts"
import { generatedFiles, lifecycle, linterGaps, lockFiles, missingFromExample, notInCi, onlyInCi, unguardedEnvironment } from "./silent.ts"

/** Why the file is short. */
const SHORT = rule(
  "Longer generated files were measured to hurt.",
  {
    name: "arXiv 2602.11988",
    url: "https://arxiv.org/abs/2602.11988"
  }
)

const inFolder = (folder: string): string => folder === "." ? "" : ` in ${code(folder)}`

/** What may stand before a program: another that runs it, a flag, a variable. */
const BEFORE_PROGRAM = /^(?:npx|pnpm|yarn|bunx?|exec|run|node|cross-env|python3?|-.*|\w+=.*)$/u

/** Programs that the command comes to, as far as they are dependencies of the repository; its arguments are none. */
const toolsOf = (project: Project, { evidence: [first] }: ProjectCommand): ReadonlyArray<string> => {
  if (first.kind !== "script") return []
  const names = new Set(project.facts("dependency").map(({ subject }) => subject))
  const programs = segmentsOf(project, first as Fact<"script">).flatMap(({ text }) => {
    const words = text.split(/\s+/u).filter((word) => names.has(word) || !BEFORE_PROGRAM.test(word))
    const argument = words.findIndex((word) => !names.has(word))
    return argument === -1 ? words : words.slice(0, argument)
  })
  return [...new Set(programs)].slice(0, 4)
}

/** The programs that do the work of a command, for the sentence that names it: `npm run lint` is called so everywhere. */
export const byTools = (project: Project, command: ProjectCommand): string => {
  const tools = toolsOf(project, command).map((tool) => code(tool))
  return tools.length === 0 ? "" : ` by ${list(tools)}`
}

const commandClaim = (project: Project, command: ProjectCommand): Block => {
  const { evidence, folder, purpose, source } = command
  const by = byTools(project, command).replace(/^ /u, ", ")
  return sourced(
    claim(`${purpose === "generate" ? "generate first" : purpose}: ${named(command)}${inFolder(folder)}${by}`, ...evidence),
    source
  )
}

const MOST_COMMANDS = 10

export interface Outcome {
  readonly outcome: string
  readonly blocks: ReadonlyArray<Block>
}

/** Commands by what came of them. */
export const byOutcome = (project: Project, commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<Outcome> =>
  Array.from(Map.groupBy(commands, (command) => outcomeOf(project, command)), ([outcome, group]) => ({
    outcome,
    blocks: group.map((command) => commandClaim(project, command))
  }))

/** One test and what is generated first, then one check a purpose. */
const toldCommands = (project: Project): ReadonlyArray<ProjectCommand> => {
  const told = projectCommands(project).filter(({ purpose }) => purpose === "one test" || purpose === "generate")
  return [...told, ...checksOf(project, ["typecheck", "check", "lint", "build", "test"])].slice(0, MOST_COMMANDS)
}

const silentClaims = (project: Project): ReadonlyArray<Block> => [
  ...generatedFiles(project, 4),
  ...lockFiles(project),
  ...missingFromExample(project),
  ...unguardedEnvironment(project, 3),
  ...lifecycle(project),
  ...onlyInCi(project, 3),
  ...notInCi(project)
]

/** What a file of the repository says already, as one text. */
export const textOf = (project: Project, path: string): string =>
  [
    ...project.factsOf(path, "paragraph").map(({ value: { text } }) => text),
    ...project.factsOf(path, "code-block").map(({ value: { text } }) => text)
  ].join("\n")

const namesOf = (text: string): ReadonlyArray<string> => Array.from(text.matchAll(/`([^`]+)`/gu), ([, name]) => name ?? "")

/** Claims whose names the text has already are left out. */
export const lackedBy = (text: string, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.filter((block) => {
    const names = block.block === "claim" ? namesOf(block.text) : []
    return names.length === 0 || !names.every((name) => text.includes(name) || text.includes(name.replace("npm run test", "npm test")))
  })

const section = (title: string, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.length === 0 ? [] : [heading(2, title), ...blocks]

/** Claims of all sections: with headings and what else stands there, the file stays under 40 lines. */
const MOST_SILENT = 14

export const agents = (project: Project): Artifact => {
  const title = heading(1, clip(project.description.project_name, 60))
  const own = project.facts("file").find(({ evidence: [{ path }] }) => path === "AGENTS.md")
  const text = textOf(project, "AGENTS.md")
  const commands = byOutcome(project, toldCommands(project)).map(({ blocks, outcome }) => ({ outcome, blocks: lackedBy(text, blocks) }))
    .filter(({ blocks }) => blocks.length > 0)
  const linters = lackedBy(text, linterGaps(project, 5))
  const silent = lackedBy(text, silentClaims(project)).slice(0, MOST_SILENT)
  if (commands.length + linters.length + silent.length === 0 && own === undefined) {
    return markdown([title, absence("No script, test, generated file or read of the environment.", project.searched()), SHORT])
  }
  return markdown([
    title,
    ...(own === undefined ? [] : [claim("`AGENTS.md` of the repository goes first; below is what it lacks.", own)]),
    SHORT,
    ...commands.flatMap(({ blocks, outcome }) => section(`Commands, ${outcome}`, blocks)),
    ...section("Not held by the linter", linters),
    ...section("Breaks silently", silent)
  ])
}
