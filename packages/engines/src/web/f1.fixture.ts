/**
 * How much of a text an extraction found, and how little else: the measure of `scrapinghub/article-extraction-benchmark`, which compares
 * the sequences of four words that two texts have.
 */

const WORDS = 4
// Chinese and Japanese have no spaces: each of their signs counts as a word.
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}_]+/gu

const sequencesOf = (text: string): ReadonlyMap<string, number> => {
  const words = text.match(WORD) ?? []
  const counts = new Map<string, number>()
  for (let at = 0; at < Math.max(1, words.length - WORDS + 1); at++) {
    const sequence = words.slice(at, at + WORDS).join(" ")
    counts.set(sequence, (counts.get(sequence) ?? 0) + 1)
  }
  return counts
}

const sizeOf = (counts: ReadonlyMap<string, number>): number => Array.from(counts.values()).reduce((sum, count) => sum + count, 0)

export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export const score = (found: string, expected: string): Score => {
  const [have, want] = [sequencesOf(found), sequencesOf(expected)]
  const shared = Array.from(have).reduce((sum, [sequence, count]) => sum + Math.min(count, want.get(sequence) ?? 0), 0)
  const [precision, recall] = [shared / sizeOf(have), shared / sizeOf(want)]
  return { precision, recall, f1: shared === 0 ? 0 : 2 * precision * recall / (precision + recall) }
}

/** Markdown as its reader sees it. */
export const plain = (markdown: string): string =>
  markdown.replace(/!\[[^\]]*\]\([^)]*\)/gu, " ").replace(/\[([^\]]*)\]\([^)]*\)/gu, "$1").replace(/\\(.)/gu, "$1").replace(
    /[*_`#>|~]+/gu,
    " "
  )
