/**
 * The fonts of a document: Noto Sans, which comes in files that each have some letters. Those of the languages of our pages lie beside this
 * code, those of `font-groups.ts` in packages that were fetched. A file is read and unpacked once, when the first document needs it, and
 * each document takes from it the glyphs that it shows.
 */
import { create, type Font } from "fontkit"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { type FontFolders, fontGroups, type FontPackage } from "./font-groups.ts"
import { unpackWoff } from "./woff.ts"

export type Weight = 400 | 700

/** Their source and licence: `fonts/README.md`. */
const FOLDER = join(import.meta.dirname, "fonts")

/** The files beside this code, in the order in which they are asked. */
const SHIPPED = [
  ...["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese", "devanagari"].map((name) =>
    `noto-sans-${name}`
  ),
  "noto-sans-arabic-arabic",
  // The sign of the baht is among the Thai letters.
  "noto-sans-thai-thai",
  // 1.4 MB each.
  "noto-sans-jp-japanese"
]

/** One of the files, such as that of Greek. */
export interface Subset {
  readonly name: string
  readonly covers: (codePoint: number) => boolean
  /** The bytes of a font that shows these letters in this weight. */
  readonly font: (weight: Weight) => Uint8Array
}

/** Each of the files holds one font. */
const fontIn = (bytes: Uint8Array): Font => {
  const font = create(Buffer.from(bytes))
  if ("fonts" in font) throw new RangeError("the file holds a collection of fonts")
  return font
}

/** Nothing of a file is read before the first letter that none before it has. */
const subsetIn = (folder: string, name: string, mayHave: (codePoint: number) => boolean = () => true): Subset => {
  const unpacked = new Map<Weight, Uint8Array>()
  const font = (weight: Weight): Uint8Array => {
    const bytes = unpacked.get(weight) ?? unpackWoff(readFileSync(join(folder, `${name}-${weight}-normal.woff`)))
    unpacked.set(weight, bytes)
    return bytes
  }
  let read: Font | undefined
  return {
    name,
    covers: (codePoint) => mayHave(codePoint) && (read ??= fontIn(font(400))).hasGlyphForCodePoint(codePoint),
    font
  }
}

/** Whether a list of CSS, such as `U+4e00,U+4e03-4e05`, names the code point. */
const namedIn = (list: string): (codePoint: number) => boolean => {
  const ranges = list.split(",").map((range) => {
    const [first = "", last = first] = range.replace(/^U\+/iu, "").split("-")
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
  })
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
}

/** The numbered files of a package, by what it says that each has. */
const partsOf = ({ name }: FontPackage, folder: string): ReadonlyArray<Subset> => {
  const lists: Readonly<Record<string, string>> = createRequire(import.meta.url)(join(folder, "unicode.json"))
  return Object.entries(lists).flatMap(([key, list]) => {
    const number = /^\[(\d+)\]$/u.exec(key)?.[1]
    return number === undefined ? [] : [subsetIn(join(folder, "files"), `${name}-${number}`, namedIn(list))]
  })
}

const subsetsOf = (font: FontPackage, folder: string): ReadonlyArray<Subset> => [
  ...font.files.map((file) => subsetIn(join(folder, "files"), `${font.name}-${file}`)),
  ...(font.isSplit ? partsOf(font, folder) : [])
]

/** The bytes of a font beside this code, in this weight. */
export const fontOf = ({ name }: Pick<Subset, "name">, weight: Weight): Uint8Array => subsetIn(FOLDER, name).font(weight)

const shipped = SHIPPED.map((name) => subsetIn(FOLDER, name))
const fetched = new Map<string, ReadonlyArray<Subset>>()

/** What was read of a folder is kept: its name changes with its packages. */
const fetchedIn = (folders: FontFolders): ReadonlyArray<Subset> =>
  fontGroups.flatMap(({ fonts, name }) => {
    const folder = folders[name]
    if (folder === undefined) return []
    const known = fetched.get(folder) ?? fonts.flatMap((font) => subsetsOf(font, join(folder, "node_modules/@fontsource", font.name)))
    fetched.set(folder, known)
    return known
  })

export interface InFont {
  readonly text: string
  readonly subset: Subset
}

export interface Drawable {
  readonly parts: ReadonlyArray<InFont>
  /** Code points that no font has. What is nearest to them is among the parts, or nothing. */
  readonly undrawn: ReadonlyArray<number>
}

/** Seen as nothing: marks of direction, joiners, variants of the letter before. Fonts need not have them. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u
const SPACE = /\s/u
const HAN = /\p{Script=Han}/gu

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

/** The letters that a letter is made of, without their marks: of "ﬃ" the three, of a letter with a rare mark the letter. */
const nearestTo = (character: string): string => character.normalize("NFKD").replace(/\p{M}/gu, "")

/** The fonts that are here, for one document. */
export const fontsIn = (folders: FontFolders) => {
  const [others, japanese, rarer] = [shipped.slice(0, -1), shipped.slice(-1), fetchedIn(folders)]
  const usual = [...others, ...japanese, ...rarer]
  const chineseFirst = [...others, ...rarer, ...japanese]
  const isJapanese = (text: string): boolean =>
    (text.match(HAN) ?? []).every((letter) => japanese.some(({ covers }) => covers(codePointOf(letter))))

  /**
   * The text cut where another font is needed. A font is kept for as long as it has the letters. Of a text with Chinese letters that
   * Japanese does not have, all are written as Chinese.
   */
  return (text: string): Drawable => {
    const parts: Array<{ text: string; subset: Subset }> = []
    const undrawn: Array<number> = []
    const subsets = isJapanese(text) ? usual : chineseFirst

    const put = (character: string): boolean => {
      const codePoint = codePointOf(character)
      const last = parts.at(-1)
      // Marks and joiners stand with their letter, whichever files have them, too.
      if (last !== undefined && last.subset.covers(codePoint)) {
        last.text += character
        return true
      }
      const isSpace = SPACE.test(character)
      if (!isSpace && UNSEEN.test(character)) return true
      const subset = subsets.find(({ covers }) => covers(codePoint))
      // Of the many kinds of space, a font has some.
      if (subset === undefined) return isSpace && character !== " " && put(" ")
      parts.push({ text: character, subset })
      return true
    }

    // Composed, because fonts have letters with their marks rather than both.
    for (const character of text.normalize("NFC")) {
      if (put(character)) continue
      undrawn.push(codePointOf(character))
      for (const near of nearestTo(character)) put(near)
    }
    return { parts, undrawn }
  }
}

export type Fonts = ReturnType<typeof fontsIn>
