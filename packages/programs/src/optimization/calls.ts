/** Calls of models with the prompts that they send, of what is shipped. */
import { inUse } from "../debug/sites.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { lineOf, pathOf } from "../map/uses.ts"

export type ModelCall = Fact<"model-call">
export type Prompt = Fact<"prompt">

export interface Calling {
  readonly call: ModelCall
  readonly prompts: ReadonlyArray<Prompt>
}

/** What agents are given while they work on the project is no prompt of the project. */
const GUIDE = /(?:^|\/)(?:AGENTS|CLAUDE)\.md$|(?:^|\/)\.cursorrules$/u

export const isGuide = (prompt: Prompt): boolean => GUIDE.test(pathOf(prompt))

export const promptsOf: (project: Project) => ReadonlyArray<Prompt> = memo((project) => inUse(project, project.facts("prompt")))

const isWithin = (prompt: Prompt, { evidence: [{ end_line, start_line }] }: ModelCall): boolean =>
  lineOf(prompt) >= start_line && lineOf(prompt) <= end_line

/** Prompts within the call; else constants of its file, and those that the file imports by name. */
const promptsOfCall = (project: Project, call: ModelCall): ReadonlyArray<Prompt> => {
  const own = project.factsOf(pathOf(call), "prompt")
  const within = own.filter((prompt) => isWithin(prompt, call))
  const imported = project.factsOf(pathOf(call), "import").flatMap((one) => {
    const target = project.links.target(one)
    return target === undefined ? [] : project.factsOf(target, "prompt").filter(({ subject }) => one.value.names.includes(subject))
  })
  const constants = [...own.filter((prompt) => prompt.value.within === null), ...imported]
  const written = call.value.constants ?? []
  return [...within, ...constants.filter(({ subject }) => written.includes(subject))]
}

export const callingsOf: (project: Project) => ReadonlyArray<Calling> = memo((project) =>
  inUse(project, project.facts("model-call")).map((call) => ({ call, prompts: promptsOfCall(project, call) }))
)

export const sum = (prompts: ReadonlyArray<Prompt>): number => prompts.reduce((total, { value }) => total + value.tokens, 0)
export const holesOf = (prompts: ReadonlyArray<Prompt>): number => prompts.reduce((total, { value }) => total + value.holes, 0)

/** The name of an option in whatever way it is written. */
export const optionOf = ({ value: { options = {} } }: ModelCall, name: RegExp): string | undefined =>
  Object.entries(options).find(([key]) => name.test(key))?.[1]

export const MAX_TOKENS = /^max_?(?:completion|output)?_?tokens$/iu
export const CACHE = /cache/iu
export const RETRIES = /^max_?retries$/iu
