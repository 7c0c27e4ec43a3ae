/** Fonts that are fetched when a document needs them, in packages: which fonts there are, and for which letters. */
import type { PackageGroup } from "@svc/platform/fetched/model"
import { join } from "node:path"

/** A package of `@fontsource`. Its files are asked in their order. */
export interface FontPackage {
  readonly name: string
  readonly files: ReadonlyArray<string>
  /** Whether more files have the rarer letters. They are numbered, and `unicode.json` says which letters each has. */
  readonly isSplit: boolean
}

export interface FontGroup extends PackageGroup {
  readonly fonts: ReadonlyArray<FontPackage>
  /** The letters for which the group is fetched. */
  readonly letters: RegExp
}

const folderOf = (name: string): string => join(import.meta.dirname, "../../../packages", name)

/** Those whose words fontkit shapes: it fails on names in Gurmukhi and Malayalam. */
const ALPHABETS = [
  "armenian",
  "bengali",
  "ethiopic",
  "georgian",
  "gujarati",
  "hebrew",
  "kannada",
  "khmer",
  "lao",
  "myanmar",
  "sinhala",
  "tamil",
  "telugu"
]

const scriptOf = (alphabet: string): string => `\\p{Script=${alphabet.slice(0, 1).toUpperCase()}${alphabet.slice(1)}}`

export const alphabetFonts: FontGroup = {
  name: "fonts-alphabets",
  folder: folderOf("fonts-alphabets"),
  brings: "Letters of thirteen scripts in PDFs, among them Hebrew, Georgian, Armenian, Bengali and Tamil",
  megabytes: 19,
  fonts: ALPHABETS.map((alphabet) => ({ name: `noto-sans-${alphabet}`, files: [alphabet], isSplit: false })),
  letters: new RegExp(ALPHABETS.map(scriptOf).join("|"), "u")
}

export const koreanFonts: FontGroup = {
  name: "fonts-korean",
  folder: folderOf("fonts-korean"),
  brings: "Korean letters in PDFs",
  megabytes: 54,
  fonts: [{ name: "noto-sans-kr", files: ["korean"], isSplit: false }],
  letters: /\p{Script=Hangul}/u
}

export const chineseFonts: FontGroup = {
  name: "fonts-chinese",
  folder: folderOf("fonts-chinese"),
  brings: "Chinese letters in PDFs that Japanese does not have",
  megabytes: 76,
  fonts: [{ name: "noto-sans-sc", files: ["chinese-simplified"], isSplit: true }],
  letters: /\p{Script=Han}/u
}

export const fontGroups: ReadonlyArray<FontGroup> = [alphabetFonts, koreanFonts, chineseFonts]

/** The groups that have some of these code points. */
export const groupsFor = (codePoints: ReadonlyArray<number>): ReadonlyArray<FontGroup> => {
  const text = String.fromCodePoint(...codePoints)
  return fontGroups.filter(({ letters }) => letters.test(text))
}

/** Where the packages of the groups that are here lie, by the group's name. */
export type FontFolders = Readonly<Record<string, string>>
