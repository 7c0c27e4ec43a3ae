/**
 * Words of a text, the same for documents and queries. Documents are taken out of the index by these words: other words need a new index.
 */

/** Letters and digits with their marks. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Scripts that are written without spaces: each two characters in a row are a word, and a single one is one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu

/** Longer ones are cut: nobody searches for them by all of their characters. */
const LONGEST = 64

const pairsOf = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  return characters.length === 1 ? characters : characters.slice(1).map((character, n) => `${characters[n]}${character}`)
}

const pieces = (word: string): ReadonlyArray<string> => {
  const runs = word.match(UNSPACED)
  if (runs === null) return [word]
  return [...word.split(UNSPACED).filter((rest) => rest !== ""), ...runs.flatMap(pairsOf)]
}

/** Cut between characters, and never in the middle of one. */
const cut = (word: string): string => word.length <= LONGEST ? word : Array.from(word).slice(0, LONGEST).join("")

export const tokensOf = (text: string): ReadonlyArray<string> =>
  (text.normalize("NFKC").toLowerCase().match(WORD) ?? []).flatMap((word) => pieces(cut(word)))

/** How often each word stands there. */
export const countTokens = (tokens: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}
