/** prompt-diff-report.md: prompts that are near copies of each other, and the words in which they differ. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { code } from "../map/words.ts"
import { type Prompt, promptsOf } from "./calls.ts"

/** Each is compared with each: more of them would take long. */
const MOST_PROMPTS = 150
const MOST = 20
/** The part of the words of both that both have. */
const NEAR = 0.6

const wordsOf = ({ value: { text } }: Prompt): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

interface Pair {
  readonly one: Prompt
  readonly other: Prompt
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly likeness: number
}

const pairOf = (one: Prompt, ofOne: ReadonlySet<string>, other: Prompt, ofOther: ReadonlySet<string>): Pair => {
  const removed = [...ofOne].filter((word) => !ofOther.has(word))
  const added = [...ofOther].filter((word) => !ofOne.has(word))
  const both = ofOne.size - removed.length
  return { one, other, added, removed, likeness: both / Math.max(1, both + removed.length + added.length) }
}

const pairs = (project: Project): ReadonlyArray<Pair> => {
  const prompts = promptsOf(project).slice(0, MOST_PROMPTS).map((prompt) => ({ prompt, words: new Set(wordsOf(prompt)) }))
  return prompts.flatMap((one, at) => prompts.slice(at + 1).map((other) => pairOf(one.prompt, one.words, other.prompt, other.words)))
    .filter(({ likeness }) => likeness >= NEAR).toSorted((one, other) => other.likeness - one.likeness)
}

const said = (words: ReadonlyArray<string>): string => code(clip(words.slice(0, 12).join(" "), 100))

const differences = (project: Project): ReadonlyArray<Block> =>
  pairs(project).slice(0, MOST).flatMap(({ added, one, other, removed }) => {
    const differs = [
      ...removed.length === 0 ? [] : [`the first alone has ${said(removed)}`],
      ...added.length === 0 ? [] : [`the second alone has ${said(added)}`]
    ]
    const words = differs.length === 0 ? "the same words" : differs.join(", ")
    return claimOf(`${code(one.subject)} and ${code(other.subject)}: ${words} (${one.value.tokens} and ${other.value.tokens} tokens).`, [
      one,
      other
    ])
  })

export const promptDiffReport = (project: Project): Artifact => {
  const prompts = promptsOf(project)
  const none = prompts.length === 0 ? "No prompt." : `No two prompts that are near copies, of ${prompts.length}.`
  return page(`${project.description.project_name}: prompts alike`, [
    { title: "Near copies", blocks: differences(project), none: absence(none, project.searched()) }
  ])
}
