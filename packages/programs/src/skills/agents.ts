/** AGENTS.md: at most 40 lines of what one look does not show. */
import { capitalized, code, list } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, claim, evidenceOf, heading, sourced } from "../claims/model.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { checksOf } from "./checks.ts"
import { byOutcome, named, type Outcome, projectCommands } from "./commands.ts"
import type { ProjectCommand } from "./model.ts"
import { generatedFiles, lifecycle, linterGaps, lockFiles, missingFromExample, notInCi, onlyInCi, unguardedEnvironment } from "./silent.ts"
import { toolsOf } from "./tools.ts"

/** Why the file is short, below everything else. The number finds the paper; its address would be as long as a command. */
const SHORT = "Measured: longer generated files hurt. Source: [arXiv 2602.11988]."

const inFolder = (folder: string): string => folder === "." ? "" : ` in ${code(folder)}`

/** A command says by its name what it is for, unless it is for something that no check of its kind does. */
const labelOf = ({ command, purpose }: ProjectCommand): string => {
  if (purpose === "generate") return "generate first: "
  return command.replaceAll(/\W/gu, "").includes(purpose) ? "" : `${purpose}: `
}

const commandClaim = (project: Project, command: ProjectCommand): Block => {
  const { evidence, folder, source } = command
  const tools = toolsOf(project, command).map((tool) => code(tool))
  const by = tools.length === 0 ? "" : `, by ${list(tools)}`
  return sourced(claim(`${labelOf(command)}${named(command)}${inFolder(folder)}${by}`, ...evidence), source)
}

/** What is said of commands that ended alike. */
export interface CommandSection extends Omit<Outcome, "commands"> {
  readonly blocks: ReadonlyArray<Block>
}

/** Commands by what came of them. */
export const commandSections = (project: Project, commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<CommandSection> =>
  byOutcome(project, commands).map(({ commands: ended, facts, outcome }) => ({
    outcome,
    facts,
    blocks: ended.map((command) => commandClaim(project, command))
  }))

const MOST_COMMANDS = 10

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

/** `facts` are of what the title says. */
export const section = (title: string, blocks: ReadonlyArray<Block>, facts: ReadonlyArray<AnyFact> = []): ReadonlyArray<Block> =>
  blocks.length === 0 ? [] : [heading(2, title, evidenceOf(facts)), ...blocks]

const shortened = (blocks: ReadonlyArray<Block>): Artifact => {
  const made = markdown(blocks)
  return { ...made, text: `${made.text}\n${SHORT}\n` }
}

const MOST_LINES = 40
/** The last section's heading with the empty lines around it, and the last line. */
const OTHER_LINES = 5

const linesOf = (blocks: ReadonlyArray<Block>): number => markdown(blocks).text.trimEnd().split("\n").length

export const agents = (project: Project): Artifact => {
  const title = heading(1, clip(project.description.project_name, 60))
  const own = project.facts("file").find(({ evidence: [{ path }] }) => path === "AGENTS.md")
  const text = textOf(project, "AGENTS.md")
  const commands = commandSections(project, toldCommands(project)).map((group) => ({ ...group, blocks: lackedBy(text, group.blocks) }))
    .filter(({ blocks }) => blocks.length > 0)
  const linters = lackedBy(text, linterGaps(project, 5))
  const silent = lackedBy(text, silentClaims(project))
  if (commands.length + linters.length + silent.length === 0 && own === undefined) {
    return shortened([title, absence("No script, test, generated file or read of the environment.", project.searched())])
  }
  const before = [
    title,
    ...(own === undefined ? [] : [claim("`AGENTS.md` of the repository goes first; below is what it lacks.", own)]),
    ...commands.flatMap(({ blocks, facts, outcome }) => section(capitalized(outcome), blocks, facts)),
    ...section("Not held by the linter", linters)
  ]
  return shortened([...before, ...section("Breaks silently", silent.slice(0, Math.max(0, MOST_LINES - OTHER_LINES - linesOf(before))))])
}
