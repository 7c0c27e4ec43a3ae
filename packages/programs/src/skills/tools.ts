/** What does the work of a command: programs of dependencies, files of the repository. `npm run lint` is called so everywhere. */
import { posix } from "node:path"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import type { ProjectCommand } from "./model.ts"
import { isThere } from "./needs.ts"
import { folderOf, type Segment, segmentsOf } from "./scripts.ts"

/** What may stand before a program: another that runs it, a flag, a variable. */
const BEFORE_PROGRAM = /^(?:npx|pnpm|yarn|bunx?|exec|run|node|cross-env|python3?|bash|sh|-.*|\w+=.*)$/u

/** Programs that are called otherwise than the package that brings them. */
const PROGRAMS: Readonly<Record<string, ReadonlyArray<string>>> = {
  typescript: ["tsc"],
  "npm-run-all": ["run-s", "run-p"],
  "npm-run-all2": ["npm-run-all", "run-s", "run-p"],
  "tree-sitter-cli": ["tree-sitter"],
  "@playwright/test": ["playwright"],
  "@arethetypeswrong/cli": ["attw"],
  "@biomejs/biome": ["biome"],
  "@babel/cli": ["babel"],
  "@vercel/ncc": ["ncc"]
}

/** Programs that dependencies of the repository bring. */
const programsOf: (project: Project) => ReadonlySet<string> = memo((project) =>
  new Set(
    project.facts("dependency").flatMap(({ subject }) => [subject, ...Object.hasOwn(PROGRAMS, subject) ? PROGRAMS[subject] ?? [] : []])
  )
)

/** Programs that run the file that stands behind them. */
const RUNS_FILE = /^(?:tsx|ts-node|tsimp|babel-node)$/u

/** The file of the repository that the word is. */
const fileOf = (project: Project, { script }: Segment, word: string): string | undefined => {
  if (!/^[\w./@-]+$/u.test(word)) return undefined
  const path = posix.normalize(posix.join(folderOf(script), word))
  return isThere(project, path) ? path : undefined
}

const ofSegment = (project: Project, segment: Segment): ReadonlyArray<string> => {
  const programs = programsOf(project)
  const words = segment.text.split(/\s+/u).filter((word) => programs.has(word) || !BEFORE_PROGRAM.test(word))
  const end = words.findIndex((word) => !programs.has(word))
  const called = end === -1 ? words : words.slice(0, end)
  const last = called.at(-1)
  const file = last === undefined || RUNS_FILE.test(last) ? fileOf(project, segment, words[called.length] ?? "") : undefined
  return file === undefined ? called : [...called, file]
}

const MOST = 4

/** The programs and files that a script of the repository runs when the command is given, without those that the command itself names. */
export const toolsOf = (project: Project, { command, evidence: [first] }: ProjectCommand): ReadonlyArray<string> => {
  if (first.kind !== "script") return []
  const words = new Set(command.split(" "))
  const tools = segmentsOf(project, first).flatMap((segment) => ofSegment(project, segment))
  return [...new Set(tools)].filter((tool) => !words.has(tool)).slice(0, MOST)
}
