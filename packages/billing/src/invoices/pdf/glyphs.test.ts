/** What documents draw, glyph by glyph, whatever they say that they say: each letter leaves ink, and each space has a width. */
import { assert, describe, it } from "@effect/vitest"
import { currencies } from "@svc/kernel/values/currency"
import { fetchedFolder, missing } from "@svc/testkit/fetched"
import { invoiceOf, periodLine } from "./fixture.ts"
import { alphabetFonts, chineseFonts, type FontFolders, type FontGroup, groupsFor, koreanFonts } from "./font-groups.ts"
import { allOf, type Glyph, leavesOf, readPdf, type Tagged } from "./read-fixture.ts"
import { renderPdf } from "./render.ts"
import { moneyIn, type PrintedView, type Row, viewOf } from "./view.ts"

const viewWith = (locale: string, rows: ReadonlyArray<Row>, seller = "Acme"): PrintedView => ({
  ...viewOf(
    invoiceOf("EUR", [periodLine(123_456_789, "EUR")]),
    { name: seller, color: null },
    { name: "Jo Doe", email: "jo@example.com", locale, time_zone: "UTC" }
  ),
  rows
})

const rowOf = (description: string, amount = "1"): Row => ({ description, why: [], amount })

/** Glyphs that show nothing, or another thing than a letter. */
const wrong = (glyphs: ReadonlyArray<Glyph>): ReadonlyArray<Glyph> =>
  glyphs.filter(({ id, isInk, letter, width }) =>
    id === "0000" || letter.includes("\uFFFD") ||
    (/^\s$/u.test(letter) ? isInk || width <= 0 : letter.replace(/\p{Default_Ignorable_Code_Point}/gu, "") !== "" && !isInk)
  )

const onPaper = (view: PrintedView, fonts?: FontFolders) =>
  renderPdf(view, fonts).then(({ bytes, undrawn }) => {
    const { pages, root } = readPdf(bytes)
    const glyphs = pages.flatMap(({ marked }) => marked.flatMap((piece) => piece.glyphs))
    return { undrawn, root, glyphs, cells: allOf(root, "Table").slice(1, -1).flatMap((table) => allOf(table, "TD")) }
  })

/** From left to right, with one kind of space. */
const lettersOf = ({ glyphs }: Pick<Tagged, "glyphs">): string =>
  glyphs.toSorted((one, other) => one.x - other.x).map(({ letter }) => letter).join("").replace(/\s/gu, " ")

const MARKS_OF_DIRECTION = /[\u200E\u200F\u061C\u2066-\u2069]/gu
const plain = (text: string): string => text.replace(MARKS_OF_DIRECTION, "").replace(/\s/gu, " ")
const inAnyOrder = (text: string): string => Array.from(text).toSorted().join("")

const LOCALES = "en en-IN en-ZA en-CA de de-AT de-CH fr fr-CA fr-CH es es-MX es-CR ja ar ar-EG ar-SA ar-MA".split(" ")

describe("what is drawn", () => {
  it.each(LOCALES)("of amounts in every currency as %s writes them is all of it", async (locale) => {
    const rows = currencies.map((currency) => rowOf(currency, moneyIn(locale, currency)(-123_456_789)))
    const { cells, glyphs, undrawn } = await onPaper(viewWith(locale, rows))
    assert.deepStrictEqual(undrawn, [])
    assert.deepStrictEqual(wrong(glyphs), [])
    const amounts = cells.filter((_, n) => n % 2 === 1)
    // A glyph of Arabic is a part of several letters, and stands for the first of them when it is copied.
    const shown = (text: string) =>
      locale.startsWith("ar") ? inAnyOrder(text.replace(/\p{Script=Arabic}/gu, (sign) => /\p{L}/u.test(sign) ? "ا" : sign)) : text
    assert.deepStrictEqual(amounts.map((cell) => shown(lettersOf(cell))), rows.map(({ amount }) => shown(plain(amount))))
  })

  it("of a space of any kind is a space that has a width", async () => {
    const spaces = Array.from("\t\n \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000")
    const { cells, glyphs, undrawn } = await onPaper(viewWith("fr", spaces.map((space) => rowOf("Plan", `1${space}234`))))
    assert.deepStrictEqual([undrawn, wrong(glyphs)], [[], []])
    const amounts = cells.filter((_, n) => n % 2 === 1)
    assert.deepStrictEqual(amounts.map(lettersOf), spaces.map(() => "1 234"))
    for (const [n, { glyphs: [one, space, two] }] of amounts.entries()) {
      assert.isAbove((two?.x ?? 0) - (one?.x ?? 0) - (one?.width ?? 0), 0, `U+${spaces[n]!.codePointAt(0)!.toString(16)}`)
      assert.isAbove(space?.width ?? 0, 0)
    }
  })

  it("of a letter that no font has is what is nearest to it, or nothing; the text that is read aloud has it", async () => {
    const text = "Jo 😀 e\u0301\u{1D400}ﬃx\u0348 \uFE0F\u2060김"
    const { cells: [cell], glyphs, undrawn } = await onPaper(viewWith("en", [rowOf(text)]))
    assert.deepStrictEqual(wrong(glyphs), [])
    const [leaf] = leavesOf(cell!)
    assert.strictEqual(lettersOf(leaf!), "Jo  éAffix ")
    assert.strictEqual(leaf?.actual, text)
    assert.sameMembers([...undrawn], [0x1F600, 0x1D400, 0xFB03, 0x348, 0xAE40])
    assert.deepStrictEqual(groupsFor(undrawn), [koreanFonts])
  })

  it("of Thai, and of the sign of the baht, needs nothing that is fetched", async () => {
    const { cells, glyphs, undrawn } = await onPaper(viewWith("de", [rowOf("สมชาย ใจดี", "1 ฿")], "สมชาย"))
    assert.deepStrictEqual([undrawn, wrong(glyphs)], [[], []])
    assert.deepStrictEqual(leavesOf(cells[0]!).map(lettersOf), ["สมชาย ใจดี"])
  })
})

/** Names whose letters are drawn one by one; those of other scripts change their places and join. */
const PLAIN: ReadonlyArray<readonly [script: string, name: string, group: FontGroup]> = [
  ["Korean", "김민준 뷁", koreanFonts],
  ["Georgian", "გიორგი ბერიძე", alphabetFonts],
  ["Armenian", "Արամ Խաչատրյան", alphabetFonts],
  ["Ethiopic", "አበበ በቀለ", alphabetFonts],
  ["Chinese", "张伟 陈广东说", chineseFonts],
  ["rare Chinese", "喆堃翀", chineseFonts]
]

const SHAPED: ReadonlyArray<readonly [script: string, name: string]> = [
  ["Bengali", "রবীন্দ্রনাথ ঠাকুর"],
  ["Tamil", "செந்தில் குமார்"],
  ["Gujarati", "નરેન્દ્ર પટેલ"],
  ["Kannada", "ರಾಜೇಶ್ ಕುಮಾರ್"],
  ["Khmer", "សុខ ចាន់ណា"],
  ["Lao", "ສົມສັກ ພົມມະຈັນ"],
  ["Myanmar", "အောင်ဆန်း"],
  ["Sinhala", "නිමල් පෙරේරා"],
  ["Telugu", "రాజేష్ కుమార్"]
]

const folders: Record<string, string> = {}
for (const group of [alphabetFonts, koreanFonts, chineseFonts]) {
  const folder = await fetchedFolder(group)
  if (folder !== undefined) folders[group.name] = folder
}
const isHere = ({ name }: FontGroup): boolean => folders[name] !== undefined

describe("what is drawn with fonts that are fetched", () => {
  /** The seller's name is bold, the description is not. */
  const drawn = async (name: string) => {
    const { cells, glyphs, root, undrawn } = await onPaper(viewWith("en", [rowOf(name)], name), folders)
    assert.deepStrictEqual([undrawn, wrong(glyphs)], [[], []])
    return [leavesOf(root)[0]!, leavesOf(cells[0]!)[0]!].map(lettersOf)
  }

  for (const [script, name, group] of PLAIN) {
    it.skipIf(!isHere(group))(`of a name in ${script} is all of it`, async () => {
      assert.deepStrictEqual(await drawn(name), [name, name], missing(group))
    })
  }

  for (const [script, name] of SHAPED) {
    it.skipIf(!isHere(alphabetFonts))(`of a name in ${script} has each letter`, async () => {
      const letters = (text: string) => inAnyOrder((text.match(/\p{L}/gu) ?? []).join(""))
      assert.deepStrictEqual((await drawn(name)).map(letters), [letters(name), letters(name)])
    })
  }

  it.skipIf(!isHere(alphabetFonts))("of a name in Hebrew runs from right to left, and a number in it does not", async () => {
    assert.deepStrictEqual(await drawn("משה כהן 12"), ["12 ןהכ השמ", "12 ןהכ השמ"])
  })

  it.skipIf(!isHere(chineseFonts))("of Chinese letters stands in one font, those of Japanese too", async () => {
    const { cells } = await onPaper(viewWith("en", [rowOf("王们"), rowOf("王")]), folders)
    const fonts = [cells[0]!, cells[2]!].map((cell) =>
      Array.from(new Set(leavesOf(cell).flatMap(({ glyphs }) => glyphs.map(({ font }) => font))))
    )
    assert.deepStrictEqual(fonts.map((names) => names.length), [1, 1])
    assert.notDeepEqual(fonts[0], fonts[1])
  })
})
