/** Ranking by keywords, for a few hundred short texts. */

/** A text with how much it tells: a name more than a description. */
export interface Searchable {
  readonly texts: ReadonlyArray<readonly [text: string, weight: number]>
}

/** Words that say nothing of what is looked for. */
const EMPTY = new Set([
  "a",
  "an",
  "and",
  "are",
  "for",
  "from",
  "how",
  "i",
  "in",
  "is",
  "it",
  "me",
  "my",
  "of",
  "on",
  "or",
  "that",
  "the",
  "to",
  "tool",
  "tools",
  "want",
  "what",
  "which",
  "with"
])

/** "Payments" finds "payment"; "autonomous", "business" and "analysis" stay what they are. */
const stem = (word: string): string => word.length > 3 && word.endsWith("s") && !/[sui]s$/u.test(word) ? word.slice(0, -1) : word

/** The words of a text, `_` and `-` between them or not, without empty ones. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu), ([word]) => stem(word)).filter((word) => !EMPTY.has(word))

/** How well a word of the query fits one of a text: 1 when equal, less when one begins with the other. */
const fit = (asked: string, found: string): number =>
  asked === found ? 1 : Math.min(asked.length, found.length) >= 3 && (found.startsWith(asked) || asked.startsWith(found)) ? 0.5 : 0

type Read = ReadonlyArray<readonly [words: ReadonlyArray<string>, weight: number]>

const best = (asked: string, texts: Read): number =>
  texts.reduce((most, [words, weight]) => Math.max(most, weight * words.reduce((fits, word) => Math.max(fits, fit(asked, word)), 0)), 0)

export interface RankedItem<out A> {
  readonly item: A
  /** 0 to 1, of the best that could be. */
  readonly score: number
}

/** The items that fit, best first; of equal items the earlier first. A word that fits few items counts for more than a common one. */
export const rank = <A>(query: string, items: ReadonlyArray<A>, of: (item: A) => Searchable): ReadonlyArray<RankedItem<A>> => {
  const words = Array.from(new Set(wordsOf(query)))
  const read = items.map((item) => ({ item, texts: of(item).texts.map(([text, weight]) => [wordsOf(text), weight] as const) }))
  const found = read.map(({ item, texts }) => ({ item, fits: words.map((word) => best(word, texts)) }))
  const rarity = words.map((_, at) => Math.log(1 + items.length / (1 + found.filter(({ fits }) => (fits[at] ?? 0) > 0).length)))
  const most = Math.max(...read.flatMap(({ texts }) => texts.map(([, weight]) => weight)), 1) *
    rarity.reduce((sum, one) => sum + one, 0)
  return found
    .map(({ fits, item }) => ({
      item,
      score: most === 0 ? 0 : Math.round(fits.reduce((sum, one, at) => sum + one * (rarity[at] ?? 0), 0) / most * 1000) / 1000
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}
