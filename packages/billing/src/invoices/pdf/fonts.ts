/**
 * The letters of a document: Noto Sans, which comes in files that each have some. A file is read and unpacked once, when the first
 * document needs it, and each document takes from it the glyphs that it shows.
 */
import { create, type Font } from "fontkit"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { unpackWoff } from "./woff.ts"

export type Weight = 400 | 700

/** Their source and licence: `fonts/README.md`. */
const FOLDER = join(import.meta.dirname, "fonts")

/** The files, in the order in which they are asked. */
const SOURCES = [
  ["noto-sans", ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese", "devanagari"]],
  ["noto-sans-arabic", ["arabic"]],
  // 1.4 MB each.
  ["noto-sans-jp", ["japanese"]]
] as const

/** One of the files, such as that of Greek. */
export interface Subset {
  readonly name: string
  readonly covers: (codePoint: number) => boolean
}

const unpacked = new Map<string, Uint8Array>()

const fileOf = (name: string, weight: Weight): Uint8Array => {
  const key = `${name}-${weight}`
  const known = unpacked.get(key)
  if (known !== undefined) return known
  const font = unpackWoff(readFileSync(join(FOLDER, `${key}-normal.woff`)))
  unpacked.set(key, font)
  return font
}

/** The bytes of a font that shows this subset in this weight. */
export const fontOf = ({ name }: Pick<Subset, "name">, weight: Weight): Uint8Array => fileOf(name, weight)

/** Each of the files holds one font. */
const fontIn = (bytes: Uint8Array): Font => {
  const font = create(Buffer.from(bytes))
  if ("fonts" in font) throw new RangeError("the file holds a collection of fonts")
  return font
}

/** Nothing of a file is read before the first letter that none before it has. */
const subsetOf = (name: string): Subset => {
  let font: Font | undefined
  return { name, covers: (codePoint) => (font ??= fontIn(fileOf(name, 400))).hasGlyphForCodePoint(codePoint) }
}

const all: ReadonlyArray<Subset> = SOURCES.flatMap(([source, subsets]) => subsets.map((subset) => subsetOf(`${source}-${subset}`)))

/** What stands for a letter that no font has. */
export const MISSING = "\uFFFD"

/** The first subset that has the letter; undefined when none has. */
const subsetFor = (codePoint: number): Subset | undefined => all.find(({ covers }) => covers(codePoint))

export interface InFont {
  readonly text: string
  readonly subset: Subset
}

/**
 * The text cut where another font is needed. What no font has becomes {@link MISSING}. A font is kept for as long as it has the letters.
 */
export const inFonts = (text: string): ReadonlyArray<InFont> => {
  const parts: Array<{ text: string; subset: Subset }> = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const last = parts.at(-1)
    // Marks and joiners stand with their letter, whichever files have them, too.
    if (last !== undefined && last.subset.covers(codePoint)) {
      last.text += character
      continue
    }
    const subset = subsetFor(codePoint)
    const shown = subset === undefined ? MISSING : character
    const found = subset ?? subsetFor(0xFFFD)
    if (found === undefined) throw new RangeError("no font has the sign for letters that no font has")
    if (last?.subset === found) last.text += shown
    else parts.push({ text: shown, subset: found })
  }
  return parts
}
