/** The documents as they are written: their bytes are read back. */
import { assert, describe, it } from "@effect/vitest"
import { creditLine, invoiceOf, periodLine } from "./fixture.ts"
import { allOf, copied, leavesOf, type ReadPdf, readPdf, said } from "./read-fixture.ts"
import { renderPdf } from "./render.ts"
import { type Buyer, moneyIn, type Seller, viewOf } from "./view.ts"

const MARGIN = 56
const seller: Seller = { name: "Acme", color: "#0a5c8f" }
const buyer = (locale: string, name = "Jo Doe"): Buyer => ({ name, email: "jo@example.com", locale, time_zone: "UTC" })

const documentOf = async (invoice: Parameters<typeof viewOf>[0], of: Seller, to: Buyer): Promise<ReadPdf> =>
  readPdf((await renderPdf(viewOf(invoice, of, to))).bytes)

/** What is read of the document, from its beginning to its end. */
const readIn = ({ root }: ReadPdf): ReadonlyArray<string> => leavesOf(root).map((leaf) => leaf.actual ?? copied(leaf))

/** Nothing is written outside of the margins, footers apart. */
const within = ({ pages }: ReadPdf): void => {
  const outside = pages.flatMap(({ height, marked, width }) =>
    marked.flatMap(({ glyphs, tag }) =>
      glyphs.filter((glyph) =>
        glyph.x < MARGIN - 1 || glyph.x + glyph.width > width - MARGIN + 1 ||
        (tag !== "Artifact" && (glyph.y < MARGIN || glyph.y > height - MARGIN + 16))
      )
    )
  )
  assert.deepStrictEqual(outside, [])
}

describe("the PDF of an invoice", () => {
  it.each([
    ["en", "Invoice"],
    ["de", "Rechnung"],
    ["fr", "Facture"],
    ["es", "Factura"],
    ["ja", "請求書"],
    ["ar", "فاتورة"]
  ])("is tagged and says its language, its title and whose it is: %s", async (locale, word) => {
    const read = await documentOf(invoiceOf("EUR", [periodLine(2_000, "EUR")]), seller, buyer(locale))
    assert.isTrue(read.marked)
    assert.include(read.catalog, `/Lang (${locale})`)
    assert.deepStrictEqual([read.title, read.author], [`${word} ACME-000042`, "Acme"])
    assert.strictEqual(read.root.tag, "Document")
    assert.deepStrictEqual(read.root.kids.map(({ tag }) => tag), ["P", "H1", "P", "H2", "P", "P", "Table", "H2", "Table", "Table"])
    assert.deepStrictEqual(allOf(read.root, "H1").map(said), [word])
    // Everything that is drawn is in the tree, or said to be none of it.
    const inTree = leavesOf(read.root).reduce((sum, { glyphs }) => sum + glyphs.length, 0)
    const drawn = read.pages.flatMap(({ marked }) => marked.filter(({ tag }) => tag !== "Artifact").flatMap(({ glyphs }) => glyphs)).length
    assert.deepStrictEqual([inTree > 100, drawn], [true, inTree])
    within(read)
  })

  it("of a sandbox says that it is a test, and names nobody of whom nothing is known", async () => {
    const nobody = { name: null, email: null, locale: "de", time_zone: "UTC" }
    const read = await documentOf(invoiceOf("EUR", [periodLine(2_000, "EUR")]), { ...seller, sandbox: true }, nobody)
    assert.deepStrictEqual(readIn(read).slice(0, 6), ["Acme", "Rechnung", "Offen", "Testmodus", "Nummer", "ACME-000042"])
  })

  it("is read and copied in order", async () => {
    const read = await documentOf(
      invoiceOf("USD", [periodLine(2_000, "USD"), creditLine(-500, "USD")], { memo: "Thank you" }),
      seller,
      buyer("en-US")
    )
    assert.deepStrictEqual(readIn(read), [
      "Acme",
      "Invoice",
      "Open",
      "Bill to",
      "Jo Doe",
      "jo@example.com",
      "Number",
      "ACME-000042",
      "Issued",
      "January 1, 2026",
      "Due",
      "January 1, 2026",
      "Period",
      "January 1, 2026 – February 1, 2026",
      "What it is for",
      "Description",
      "Amount",
      "Professional",
      "January 1, 2026 – February 1, 2026",
      "$20.00",
      "Unused time of Basic",
      "Jan 17, 2026, 12:00:00 AM UTC to Feb 1, 2026, 12:00:00 PM UTC: 1,339,200 of 2,678,400 seconds of $10.00",
      "-$5.00",
      "Subtotal",
      "$20.00",
      "Adjustments",
      "-$5.00",
      "Total",
      "$15.00",
      "Paid",
      "$0.00",
      "Amount due",
      "$15.00",
      "Thank you"
    ])
    // No leaf of these needs another text than its letters.
    assert.deepStrictEqual(leavesOf(read.root).filter(({ actual }) => actual !== undefined), [])
    const heads = allOf(read.root, "TH").map((head) => [said(head), head.scope])
    assert.deepStrictEqual(heads.slice(4, 7), [["Description", "Column"], ["Amount", "Column"], ["Subtotal", "Row"]])
  })

  it("has the letters of Japanese, in their own font, and copies them", async () => {
    const name =
      "プロフェッショナルプラン（月額）チームの全員のためのすべての機能と平日のサポートを含む、とても長い名前のプランで一行には入りません"
    const read = await documentOf(
      invoiceOf("JPY", [periodLine(200_000, "JPY", name)]),
      { ...seller, name: "株式会社アクメ" },
      buyer("ja", "山田太郎")
    )
    const texts = leavesOf(read.root).map(copied)
    for (const expected of ["株式会社アクメ", "請求書", "山田太郎", "2026年1月1日", "￥200,000"]) assert.include(texts, expected)
    assert.include(texts.map((text) => text.replaceAll(" ", "")), name)
    assert.deepStrictEqual(
      new Set(allOf(read.root, "H1").flatMap(({ glyphs }) => glyphs.map(({ font }) => font))),
      new Set(["NotoSansJPThin-Bold"])
    )
    within(read)
  })

  it("of Arabic runs from right to left: page, words, letters that join, and numbers as they are", async () => {
    const view = viewOf(invoiceOf("KWD", [periodLine(2_000, "KWD", "Basic 12 كمال م")]), { ...seller, name: "كمال م" }, buyer("ar"))
    const read = readPdf((await renderPdf(view)).bytes)
    const [name, title] = leavesOf(read.root)
    assert.deepStrictEqual([name?.actual, title?.actual], ["كمال م", "فاتورة"])
    // Who sells stands on the right, where one begins to read.
    assert.isAbove(name?.glyphs[0]?.x ?? 0, title?.glyphs[0]?.x ?? Infinity)
    const [description, amount] = allOf(read.root, "TD").slice(-7)
    assert.isAbove(
      Math.min(...leavesOf(description!).flatMap(({ glyphs }) => glyphs.map(({ x }) => x))),
      Math.max(...amount!.glyphs.map(({ x }) => x))
    )
    // From left to right on paper, the last letter comes first.
    const byPlace = (name?.glyphs ?? []).toSorted((a, b) => a.x - b.x)
    assert.strictEqual(byPlace.map(({ letter }) => letter).join(""), "م لامك")
    const [alone, joined] = byPlace.filter(({ letter }) => letter === "م")
    assert.notStrictEqual(alone?.id, joined?.id, "a letter within a word has another shape than one that stands alone")
    const mixed = leavesOf(read.root).find(({ actual }) => actual === "Basic 12 كمال م")
    assert.strictEqual(
      (mixed?.glyphs ?? []).toSorted((a, b) => a.x - b.x).map(({ letter }) => letter).join("").replaceAll(" ", ""),
      "Basic12ملامك"
    )
    // Each text is in the tree as it is written, though its glyphs lie otherwise.
    const texts = readIn(read)
    for (
      const text of [
        ...view.facts.flat(),
        ...view.rows.flatMap(({ amount: money, why }) => [...why, money]),
        ...view.sums.map(({ label }) => label)
      ]
    ) assert.include(texts, text)
    within(read)
  })

  it("says in Arabic why, without a number that runs on from a word in other letters", () => {
    const { rows } = viewOf(invoiceOf("KWD", [periodLine(2_000, "KWD"), creditLine(-483, "KWD")]), seller, buyer("ar"))
    const [why = ""] = rows[1]?.why ?? []
    assert.include(why, "UTC")
    // A number behind a word in Latin letters would run on with it, from left to right.
    assert.notMatch(why, /UTC\P{L}*\d/u)
  })

  it("of 500 lines has each of them once, and names the columns on each page", async () => {
    const lines = Array.from(
      { length: 500 },
      (_, n) => n % 3 === 2 ? creditLine(-1, "USD", `Credit ${n + 1}`) : periodLine(1_000 + n, "USD", `Line ${n + 1}`)
    )
    const read = await documentOf(invoiceOf("USD", lines), seller, buyer("en"))
    assert.isAbove(read.pages.length, 20)
    const [, table] = allOf(read.root, "Table")
    const rows = table?.kids ?? []
    const heads = rows.filter(({ kids }) => kids.every(({ tag }) => tag === "TH"))
    const pageOf = (row: typeof rows[number]) => new Set(leavesOf(row).map(({ page }) => page))
    assert.deepStrictEqual(heads.map((row) => [...pageOf(row)]), read.pages.map((_, n) => [n + 1]))
    assert.deepStrictEqual(
      rows.filter((row) => !heads.includes(row)).map((row) => said(leavesOf(row)[0]!)),
      lines.map(({ description }) => description)
    )
    assert.deepStrictEqual(rows.filter((row) => pageOf(row).size !== 1), [])
    for (const [n, { marked }] of read.pages.entries()) {
      const footers = marked.filter(({ glyphs, tag }) => tag === "Artifact" && glyphs.length > 0).map(copied)
      assert.deepStrictEqual(footers, [`Acme · Invoice ACME-000042Page ${n + 1}`])
    }
    within(read)
  })

  it("keeps its sums together, wherever the page ends", async () => {
    let onNext = 0
    for (let count = 8; count <= 20; count++) {
      const read = await documentOf(invoiceOf("USD", Array.from({ length: count }, () => periodLine(1_000, "USD"))), seller, buyer("en"))
      const sums = allOf(read.root, "Table").at(-1)
      const pages = new Set(leavesOf(sums!).map(({ page }) => page))
      assert.strictEqual(pages.size, 1, `${count} lines`)
      if (read.pages.length > 1) onNext++
    }
    // Otherwise no page ended there.
    assert.isAbove(onNext, 0)
    assert.isBelow(onNext, 13)
  })

  it("wraps names that are long, and cuts a word that is longer than a line", async () => {
    const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorstandsvorsitzender"
    const name = "Josephine Bartholomew-Featherstonehaugh of the Greater Northern Trading Company and Partners"
    const read = await documentOf(invoiceOf("USD", [periodLine(2_000, "USD", `${word} and ${name.slice(0, 60)}`)]), {
      ...seller,
      name: `${name} ${name}`
    }, buyer("en", name))
    const texts = leavesOf(read.root)
    assert.include(texts.map(copied), name)
    const description = texts.find((leaf) => copied(leaf).replaceAll(" ", "") === `${word}and${name.slice(0, 60)}`.replaceAll(" ", ""))
    assert.isAbove(new Set(description?.glyphs.map(({ y }) => y)).size, 1)
    within(read)
    // Nothing is written over something else.
    const boxes = texts.map(({ glyphs }) => ({
      left: Math.min(...glyphs.map(({ x }) => x)),
      right: Math.max(...glyphs.map(({ width, x }) => x + width)),
      top: Math.max(...glyphs.map(({ y }) => y)) + 6,
      bottom: Math.min(...glyphs.map(({ y }) => y))
    }))
    for (const [n, one] of boxes.entries()) {
      for (const [m, other] of boxes.slice(n + 1).entries()) {
        const overlaps = one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top
        assert.isFalse(overlaps, `${copied(texts[n]!)} and ${copied(texts[n + 1 + m]!)}`)
      }
    }
  })

  it.each([
    ["en", "USD", 123_456, "$1,234.56"],
    ["en", "JPY", 123_456, "¥123,456"],
    ["en", "KWD", 123_456, "KWD 123.456"],
    ["en", "JPY", -7, "-¥7"],
    ["en", "KWD", 5, "KWD 0.005"],
    ["de", "EUR", 123_456, "1.234,56 €"],
    ["fr", "EUR", 123_456_789, "1 234 567,89 €"],
    ["ja", "JPY", 123_456, "￥123,456"],
    ["ar", "KWD", 123_456, "123.456 د.ك."],
    ["en", "USD", Number.MAX_SAFE_INTEGER, "$90,071,992,547,409.91"]
  ])("writes money as it is written: %s %s %d", async (locale, currency, amount, expected) => {
    const plain = (text: string) => text.replace(/[\u200E\u200F\u061C]/gu, "").replace(/[\u00A0\u202F]/gu, " ")
    assert.strictEqual(plain(moneyIn(locale, currency)(amount)), expected)
    if (amount < 0) return
    const read = await documentOf(invoiceOf(currency, [periodLine(amount, currency)]), seller, buyer(locale))
    assert.strictEqual(plain(said(allOf(read.root, "TD").at(-1)!)), expected)
  })
})
