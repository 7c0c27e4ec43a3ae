/** A pattern that is written in pieces, because a line holds only so much. */
export const pattern = (...pieces: ReadonlyArray<string>): RegExp => new RegExp(pieces.join(""), "iu")

/**
 * A pattern of any of the words, which may end in more than letters: those with the same first letters are tried together. A pattern tries
 * each of its alternatives at each character of a text.
 */
export const byFirstLetters = (words: ReadonlyArray<string>, letters: number): string =>
  letters === 0
    ? words.join("|")
    : Array.from(Map.groupBy(words, (word) => word.charAt(0)), ([first, group]) =>
      group.length === 1 ? group.join("") : `${first}(?:${
        byFirstLetters(group.map((word) => word.slice(1)), letters - 1)
      })`).join("|")
