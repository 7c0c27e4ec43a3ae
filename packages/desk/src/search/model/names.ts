/** The words of a name, as they are typed and as they stand in a row: both are split by the same signs. Pure. */

/** What stands between words, besides spaces. Letters with marks of their own, as in Hindi, are whole words. */
export const SEPARATORS = "-‐–—_.,;:/\\&+'’‘\"“”„«»()[]{}|*!?¡¿·•\u00a0\u3000"

/** More words than a name has would each be looked for. */
const MOST_WORDS = 8

const LETTER = /\p{L}/u

const ASCII = /^[!-~]*$/u

/** A word as names have it in capitals, for letters such as Ä: a database with the locale C knows the small one of none of them. */
export const capitalsOf = (word: string): ReadonlyArray<string> =>
  ASCII.test(word) ? [] : [word.replace(/^./u, (letter) => letter.toUpperCase()), word.toUpperCase()]

/** The words by whose beginnings a name is found, in small letters; none where the text has no letter, as no name is a number alone. */
export const nameWordsIn = (text: string): ReadonlyArray<string> => {
  const words = Array.from(text.toLowerCase(), (sign) => SEPARATORS.includes(sign) ? " " : sign).join("").split(/\s+/u)
  const found = Array.from(new Set(words.filter((word) => word !== "")))
  return LETTER.test(text) && found.length <= MOST_WORDS ? found : []
}
