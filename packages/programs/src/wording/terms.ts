/** Words that a project spells in more than one way, and which of them it uses most. */
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { namesSaid } from "./statements.ts"
import { type ProjectText, textsOf } from "./texts.ts"

export interface Spelling {
  readonly text: string
  readonly facts: ReadonlyArray<AnyFact>
}

export interface Conflict {
  /** The most frequent first. */
  readonly spellings: readonly [Spelling, Spelling, ...ReadonlyArray<Spelling>]
  /** What is used more often than each other; undefined where two are used alike. */
  readonly preferred: Spelling | undefined
}

/** Words that mean the same, or are one word in two spellings of English. */
const PAIRS: ReadonlyArray<readonly [string, string]> = [
  ["sign in", "log in"],
  ["sign-in", "login"],
  ["sign out", "log out"],
  ["sign-out", "logout"],
  ["sign up", "register"],
  ["allowlist", "whitelist"],
  ["denylist", "blacklist"],
  ["repository", "repo"],
  ["folder", "directory"],
  ["folders", "directories"],
  ["cart", "basket"],
  ["color", "colour"],
  ["colors", "colours"],
  ["behavior", "behaviour"],
  ["license", "licence"],
  ["canceled", "cancelled"],
  ["canceling", "cancelling"],
  ["labeled", "labelled"],
  ["center", "centre"],
  ["gray", "grey"],
  ["catalog", "catalogue"],
  ["analyze", "analyse"],
  ["customize", "customise"],
  ["initialize", "initialise"],
  ["normalize", "normalise"],
  ["optimize", "optimise"],
  ["organization", "organisation"],
  ["recognize", "recognise"],
  ["serialize", "serialise"],
  ["synchronize", "synchronise"]
]
const CONCEPTS: ReadonlyMap<string, string> = new Map(PAIRS.flatMap(([one, other]) => [[one, one], [other, one]]))

/** Two words that as one word mean something else. */
const APART: ReadonlySet<string> = new Set(
  `
  set up, log in, log out, sign in, sign up, sign out, back up, check out, start up, clean up, look up, any one, every one,
  some one, may be, can not, in to, on to, every day, some time, all ready, every body, call back, roll back, fall back,
  play back, feed back, an other, what ever, through out, with out, with in
`.trim().split(/,\s+/u)
)

/** A word of prose: nothing that stands in a path, an address or a name of code. */
const WORD = /(?<![\p{L}\p{N}_./@:#$`(<\\-])[\p{L}][\p{L}\p{N}]*(?:[-.][\p{L}\p{N}]+)*(?![\p{L}\p{N}_/@($<\\=:-]|\.[\p{L}_])/gu

const squashed = (text: string): string => text.toLowerCase().replaceAll(/[-.\s]/gu, "")

interface Use {
  readonly text: string
  readonly fact: AnyFact
}

interface Words {
  readonly fact: AnyFact
  readonly words: ReadonlyArray<string>
  /** Whether the next word stands beside the one at this place. */
  readonly beside: ReadonlyArray<boolean>
}

const wordsIn = ({ fact, text }: ProjectText): Words => {
  const matches = Array.from(text.matchAll(WORD))
  return {
    fact,
    words: matches.map(([word]) => word),
    beside: matches.map(({ 0: word, index }, at) =>
      text.charAt(index + word.length) === " " && matches[at + 1]?.index === index + word.length + 1
    )
  }
}

/** Pairs of words that mean what one word does, here or in the list. */
const pairsIn = ({ beside, fact, words }: Words, single: ReadonlySet<string>): ReadonlyArray<Use> =>
  words.flatMap((word, at) => {
    const next = words[at + 1]
    if (next === undefined || beside[at] !== true) return []
    const isKnown = single.has(squashed(`${word}${next}`)) || CONCEPTS.has(`${word} ${next}`.toLowerCase())
    return isKnown ? [{ text: `${word} ${next}`, fact }] : []
  })

/** All words, and pairs of words that somewhere stand as one. */
const usesOf: (project: Project) => ReadonlyArray<Use> = memo((project) => {
  const texts = textsOf(project).map(wordsIn)
  const single = new Set([...new Set(texts.flatMap(({ words }) => words))].map(squashed))
  const own = ownNames(project)
  for (const name of own) single.add(name)
  return texts.flatMap((text) => [...text.words.map((word) => ({ text: word, fact: text.fact })), ...pairsIn(text, single)])
})

/** What the project is called, without capitals, spaces and hyphens. */
const ownNames = (project: Project): ReadonlySet<string> =>
  new Set([project.description.project_name, ...namesSaid(project).map(({ text }) => text.replace(/^@[^/]+\//u, ""))].map(squashed))

/** Names of code, which are spelled as code spells them. */
const codeNames = (project: Project): ReadonlySet<string> =>
  new Set([
    ...project.facts("symbol").map(({ subject }) => subject),
    ...project.facts("call").map(({ subject }) => subject),
    ...project.facts("component").map(({ subject }) => subject),
    ...project.facts("dependency").map(({ subject }) => subject),
    ...project.facts("script").map(({ subject }) => subject),
    ...project.facts("manifest").map(({ subject }) => subject),
    ...project.facts("environment").map(({ subject }) => subject)
  ])

const isProperName = (text: string): boolean => /^\p{Lu}\S*\p{Ll}\p{Lu}/u.test(text) && !text.includes(" ")
const isCompound = (text: string): boolean => /^\p{Ll}{1,12}-\p{Ll}+$/u.test(text)
const isTwoWords = (text: string): boolean => /^\p{Ll}{3,} \p{Ll}{3,}$/u.test(text) && !APART.has(text)

/**
 * Spellings of one word that exclude each other. A name with a capital within is spelled in one way; a compound is one word, two words, or
 * has a hyphen. Capitals at the start of a sentence are no other spelling.
 */
const differing = (spellings: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (spellings.some(isProperName)) return spellings.filter((text) => !/[\s-]/u.test(text))
  const lower = spellings.filter((text) => text === text.toLowerCase())
  return lower.some((text) => isCompound(text) || isTwoWords(text)) && lower.some((text) => /^\p{Ll}{5,}$/u.test(text))
    ? lower.filter((text) => !text.includes(".") && (!text.includes(" ") || isTwoWords(text)))
    : []
}

const conflictOf = (spellings: ReadonlyArray<Spelling>): ReadonlyArray<Conflict> => {
  const [first, second, ...rest] = spellings.toSorted((one, other) => other.facts.length - one.facts.length || byText(one.text, other.text))
  if (first === undefined || second === undefined) return []
  return [{ spellings: [first, second, ...rest], preferred: first.facts.length > second.facts.length ? first : undefined }]
}

const spellingsOf = (uses: ReadonlyArray<Use>): ReadonlyArray<Spelling> =>
  Array.from(Map.groupBy(uses, ({ text }) => text), ([text, group]) => ({ text, facts: group.map(({ fact }) => fact) }))

const compute = (project: Project): ReadonlyArray<Conflict> => {
  const names = codeNames(project)
  const uses = usesOf(project).filter(({ text }) => !names.has(text))
  const concepts = Map.groupBy(
    uses.flatMap(({ fact, text }) => {
      const concept = CONCEPTS.get(text.toLowerCase())
      return concept === undefined ? [] : [{ concept, text: text.toLowerCase(), fact }]
    }),
    ({ concept }) => concept
  )
  const words = Map.groupBy(spellingsOf(uses), ({ text }) => squashed(text))
  const spelled = Array.from(words.values()).flatMap((known) => {
    const shown = known.length < 2 ? [] : differing(known.map(({ text }) => text))
    return shown.length < 2 ? [] : conflictOf(known.filter(({ text }) => shown.includes(text)))
  })
  return [...Array.from(concepts.values()).flatMap((group) => conflictOf(spellingsOf(group))), ...spelled].toSorted((one, other) =>
    other.spellings[1].facts.length - one.spellings[1].facts.length || byText(one.spellings[0].text, other.spellings[0].text)
  )
}

export const conflictsOf: (project: Project) => ReadonlyArray<Conflict> = memo(compute)

/** How the project writes its own name, the most frequent first. */
export const nameSpellings: (project: Project) => ReadonlyArray<Spelling> = memo((project) => {
  const own = ownNames(project)
  const uses = usesOf(project).filter(({ text }) => own.has(squashed(text)))
  return spellingsOf(uses).toSorted((one, other) => other.facts.length - one.facts.length || byText(one.text, other.text))
})

export interface OwnTerm {
  readonly symbol: Fact<"symbol">
  readonly facts: ReadonlyArray<AnyFact>
}

/** Names of the code that documents, pages and messages use, those that they use most first. Plain words are left out. */
export const ownTerms: (project: Project) => ReadonlyArray<OwnTerm> = memo((project) => {
  const symbols = new Map(
    project.facts("symbol").filter(({ subject, value }) => value.exported && /^[\p{L}]{2,}\p{Ll}\p{Lu}|^\p{Lu}\p{Ll}+\p{Lu}/u.test(subject))
      .map((symbol) => [symbol.subject, symbol])
  )
  const uses = textsOf(project).flatMap(({ fact, text }) =>
    [...new Set(Array.from(text.matchAll(/[\p{L}][\p{L}\p{N}]{3,}/gu), ([word]) => word))].flatMap((word) => {
      const symbol = symbols.get(word)
      return symbol === undefined ? [] : [{ symbol, fact }]
    })
  )
  return Array.from(Map.groupBy(uses, ({ symbol }) => symbol), ([symbol, group]) => ({ symbol, facts: group.map(({ fact }) => fact) }))
    .toSorted((one, other) => other.facts.length - one.facts.length || byText(one.symbol.subject, other.symbol.subject))
})
