/** How a text speaks: how long its sentences are, whom they address, which of them tell the reader to do something. */
import type { ProjectText } from "./texts.ts"

export interface Sentence {
  readonly text: string
  readonly words: number
  readonly from: ProjectText
}

const END = /[.!?:](?=\s|$)/u
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu

export const wordsOf = (text: string): ReadonlyArray<string> => Array.from(text.matchAll(WORD), ([word]) => word)

/** Sentences of more than two words. */
export const sentencesOf = (texts: ReadonlyArray<ProjectText>): ReadonlyArray<Sentence> =>
  texts.filter(({ fact }) => fact.kind !== "heading").flatMap((from) =>
    from.text.split(END).map((part) => part.trim()).flatMap((text) => {
      const words = wordsOf(text).length
      return words < 3 ? [] : [{ text, words, from }]
    })
  )

/** Verbs that sentences begin with which tell the reader to do something. */
const VERBS: ReadonlySet<string> = new Set(
  `
  add allow apply ask avoid be build call change check choose clone close commit compare configure consider contact copy create
  debug define delete deploy disable do don't download edit enable ensure enter export fill find fix follow generate get give go
  help import include insert install join keep learn leave let list load log look make mark merge move never note open override
  pass paste pick please point prefer press print provide publish pull push put read refer release remember remove rename
  replace report restart return run save search see select send set share show sign start stop submit take test tell think try
  turn type update upgrade upload use verify visit wait watch write
`.trim().split(/\s+/u)
)

export const isImperative = ({ text }: Sentence): boolean => VERBS.has(wordsOf(text)[0]?.toLowerCase() ?? "")
export const saysYou = ({ text }: Sentence): boolean => /\b(?:you|your|yours|yourself)\b/iu.test(text)
export const saysWe = ({ text }: Sentence): boolean =>
  /\b(?:we|our|ours|us)\b/u.test(text.replace(/^(?:We|Our)\b/u, (word) => word.toLowerCase()))

/** The middle of the numbers; 0 where there are none. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
