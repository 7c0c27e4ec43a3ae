/**
 * The order in which mixed text is shown: the Unicode Bidirectional Algorithm (UAX #9) without its explicit marks, which no name needs: they
 * are left out. Right to left are the letters of the scripts that are written so; numbers keep their order in either.
 */

type Class = "L" | "R" | "N" | "neutral"

const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const DIGIT = /\p{Nd}/u
const LETTER = /\p{L}/u
const MARK = /\p{M}/u
/** Marks of direction, and what else is not seen. */
export const INVISIBLE = /[\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\uFEFF]/gu
/** Between two digits a part of the number, and beside one when it is a sign of money or per cent. */
const WITHIN = /[.,:/+\-\u066B\u066C\u00A0\u202F]/u
const BESIDE = /[\p{Sc}%#+\-\u2212\u066A]/u

const classOf = (character: string): Class => DIGIT.test(character) ? "N" : RIGHT.test(character) ? "R" : LETTER.test(character) ? "L" : "neutral"

/** What belongs to a number: separators within it (W4), signs beside it (W5). */
const joinNumbers = (characters: ReadonlyArray<string>, classes: Array<Class>): void => {
  for (const [at, character] of characters.entries()) {
    if (classes[at] !== "neutral") continue
    if (MARK.test(character)) classes[at] = classes[at - 1] ?? "neutral"
    else if (WITHIN.test(character) && classes[at - 1] === "N" && classes[at + 1] === "N") classes[at] = "N"
  }
  for (const [at, character] of characters.entries()) if (BESIDE.test(character) && classes[at] === "neutral" && classes[at - 1] === "N") classes[at] = "N"
  for (const [at, character] of [...characters.entries()].reverse()) if (BESIDE.test(character) && classes[at] === "neutral" && classes[at + 1] === "N") classes[at] = "N"
}

/** The embedding level of each character, in a paragraph of this level: even runs left to right (W7, N1, N2, I1, I2). */
const levelsOf = (characters: ReadonlyArray<string>, paragraph: 0 | 1): ReadonlyArray<number> => {
  const classes = characters.map(classOf)
  joinNumbers(characters, classes)
  const base: Class = paragraph === 0 ? "L" : "R"
  let strong: Class = base
  const resolved = classes.map((one): Class => {
    if (one === "L" || one === "R") strong = one
    return one === "N" && strong === "L" ? "L" : one
  })
  const sideOf = (at: number, step: 1 | -1): "L" | "R" => {
    for (let n = at; n >= 0 && n < resolved.length; n += step) {
      if (resolved[n] === "L") return "L"
      // A number counts as right to left for what stands beside it.
      if (resolved[n] === "R" || resolved[n] === "N") return "R"
    }
    return base
  }
  return resolved.map((one, at) => {
    const side = one === "neutral" ? (sideOf(at, -1) === sideOf(at, 1) ? sideOf(at, 1) : base) : one
    if (side === "N") return 2
    return side === "R" ? 1 : paragraph === 0 ? 0 : 2
  })
}

const MIRRORED: ReadonlyMap<string, string> = new Map(["()", "[]", "{}", "<>", "«»", "‹›"].flatMap((pair) => [[pair.charAt(0), pair.charAt(1)], [pair.charAt(1), pair.charAt(0)]] as const))

/** A piece of one direction, its characters in the order in which they are read. */
export interface Piece {
  readonly text: string
  readonly rightToLeft: boolean
}

/** Whether something in it is written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT.test(text)

/** Whether this text reads from right to left, by its first letter. */
export const readsRightToLeft = (text: string): boolean => {
  const first = Array.from(text).find((character) => LETTER.test(character))
  return first !== undefined && RIGHT.test(first)
}

/** A line as pieces from left to right. `split` cuts a piece further, where its characters need different fonts. */
export const piecesOf = <P extends Piece>(text: string, rightToLeft: boolean, split: (piece: Piece) => ReadonlyArray<P>): ReadonlyArray<P> => {
  const seen = text.replace(INVISIBLE, "")
  if (!rightToLeft && !RIGHT.test(seen)) return split({ text: seen, rightToLeft: false })
  const characters = Array.from(seen)
  const levels = levelsOf(characters, rightToLeft ? 1 : 0)
  const runs: Array<{ level: number; text: string }> = []
  for (const [at, character] of characters.entries()) {
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    const shown = level % 2 === 1 ? MIRRORED.get(character) ?? character : character
    if (last?.level === level) last.text += shown
    else runs.push({ level, text: shown })
  }
  const pieces = runs.flatMap(({ level, text: run }) => split({ text: run, rightToLeft: level % 2 === 1 }).map((piece) => ({ level, piece })))
  // L2: from the highest level down to 1, each stretch of that level or above is turned round.
  const ordered = [...pieces]
  for (let level = Math.max(0, ...pieces.map((piece) => piece.level)); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while ((ordered[to]?.level ?? 0) >= level) to++
      ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = Math.max(from, to)
    }
  }
  return ordered.map(({ piece }) => piece)
}
