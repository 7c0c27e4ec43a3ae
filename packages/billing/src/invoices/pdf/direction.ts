/**
 * The order in which mixed text is shown: the Unicode Bidirectional Algorithm (UAX #9), by bidi-js. Explicit marks count for the
 * order, and are left out of what is shown: they have no glyph.
 */
import type { Bidi } from "bidi-js"
import { createRequire } from "node:module"

// Node loads bidi-js as CommonJS, whose one value is the factory; its types tell of an ES module.
const makeBidi: () => Bidi = createRequire(import.meta.url)("bidi-js")
const bidi = makeBidi()

/** Marks of direction, and what else is not seen. */
export const INVISIBLE = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\uFEFF]/gu

const isRightToLeft = (character: string): boolean => ["R", "AL"].includes(bidi.getBidiCharTypeName(character))

/** A piece of one direction, its characters in the order in which they are read. */
export interface Piece {
  readonly text: string
  readonly rightToLeft: boolean
}

/** Whether something in it is written from right to left. */
export const hasRightToLeft = (text: string): boolean => Array.from(text.replace(INVISIBLE, "")).some(isRightToLeft)

/** Whether this text reads from right to left, by its first letter. */
export const readsRightToLeft = (text: string): boolean => {
  const first = Array.from(text.replace(INVISIBLE, "")).find((character) => isRightToLeft(character) || /\p{L}/u.test(character))
  return first !== undefined && isRightToLeft(first)
}

interface Run {
  readonly level: number
  text: string
}

/** The line cut where its embedding level changes. In runs of an odd level, from right to left, brackets are mirrored. */
const runsOf = (line: string, base: "ltr" | "rtl"): ReadonlyArray<Run> => {
  const characters = Array.from(line)
  // bidi-js knows characters of one code unit. One of two, such as an emoji, counts as a neutral sign.
  const { levels } = bidi.getEmbeddingLevels(characters.map((character) => character.length === 1 ? character : "\uFFFC").join(""), base)
  const runs: Array<Run> = []
  for (const [at, character] of characters.entries()) {
    if (character.replace(INVISIBLE, "") === "") continue
    const level = levels[at] ?? 0
    const shown = level % 2 === 1 ? bidi.getMirroredCharacter(character) ?? character : character
    const last = runs.at(-1)
    if (last?.level === level) last.text += shown
    else runs.push({ level, text: shown })
  }
  return runs
}

/**
 * Indexes from left to right of pieces that have these levels (rule L2). The letters stand for the pieces and have no direction to reset.
 */
const visualOrder = (levels: ReadonlyArray<number>, base: 0 | 1): ReadonlyArray<number> =>
  bidi.getReorderedIndices("x".repeat(levels.length), {
    levels: Uint8Array.from(levels),
    paragraphs: [{ start: 0, end: levels.length - 1, level: base }]
  })

/** A line as pieces from left to right. `split` cuts a piece further, where its characters need different fonts. */
export const piecesOf = <P extends Piece>(
  text: string,
  rightToLeft: boolean,
  split: (piece: Piece) => ReadonlyArray<P>
): ReadonlyArray<P> => {
  if (!rightToLeft && !hasRightToLeft(text)) return split({ text: text.replace(INVISIBLE, ""), rightToLeft: false })
  const pieces = runsOf(text, rightToLeft ? "rtl" : "ltr").flatMap(({ level, text: run }) =>
    split({ text: run, rightToLeft: level % 2 === 1 }).map((piece) => ({ level, piece }))
  )
  return visualOrder(pieces.map(({ level }) => level), rightToLeft ? 1 : 0).flatMap((at) => pieces[at]?.piece ?? [])
}
