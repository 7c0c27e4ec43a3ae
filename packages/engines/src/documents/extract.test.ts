/** What a schema asks for is taken from where the document says it, or not at all; and chunks are slices of the text. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { chunksOf } from "./chunks.ts"
import { extract, numberIn } from "./extract.ts"

const INVOICE = `# Invoice

Invoice number: INV-17
**Issued on:** 2024-01-02
Total due:  1,234.50 EUR
Paid: no
Note: 1,234

## Seller

Name: Acme

## Buyer

Name: Roe & Sons

| Item | Price |
| --- | --- |
| Hat \\| red | 40.00 |
| Pin | soon |
`

const text = { type: "string" }
const number = { type: "number" }
const party = { type: "object", properties: { name: text } }
const schema = {
  type: "object",
  properties: {
    invoiceNumber: text,
    issued_on: { type: "string", format: "date" },
    total: { ...number, title: "Total due" },
    paid: { type: "boolean" },
    note: number,
    name: text,
    seller: party,
    buyer: { $ref: "#/$defs/party" },
    shipper: party,
    positions: { type: "array", items: { type: "object", properties: { item: text, price: number, count: { type: "integer" } } } }
  },
  $defs: { party }
}

describe("values that a schema asks for", () => {
  it("come from labels, sections and tables; what is missing, ambiguous or of another type is null", () => {
    assert.deepStrictEqual(extract(schema, INVOICE).extracted, {
      invoiceNumber: "INV-17",
      issued_on: "2024-01-02",
      total: 1234.5,
      paid: false,
      note: null,
      name: null,
      seller: { name: "Acme" },
      buyer: { name: "Roe & Sons" },
      shipper: null,
      positions: [{ item: "Hat | red", price: 40, count: null }, { item: "Pin", price: null, count: null }]
    })
  })

  it("have spans that cut them out of the text, and null has none", () => {
    const { spans } = extract(schema, INVOICE)
    const cut = Object.entries(spans).map(([path, { end, start }]) => [path, INVOICE.slice(start, end)])
    assert.deepStrictEqual(Object.fromEntries(cut), {
      "/invoiceNumber": "INV-17",
      "/issued_on": "2024-01-02",
      "/total": "1,234.50 EUR",
      "/paid": "no",
      "/seller/name": "Acme",
      "/buyer/name": "Roe & Sons",
      "/positions/0/item": "Hat \\| red",
      "/positions/0/price": "40.00",
      "/positions/1/item": "Pin"
    })
  })

  it("stand in tables of labels, too", () => {
    const table = "| Number | 17 |\n| --- | --- |\n| Total | 5 |"
    assert.deepStrictEqual(extract({ properties: { number, total: number } }, table).extracted, { number: 17, total: 5 })
  })

  it.each([
    ["42", 42],
    ["1,234.50 EUR", 1234.5],
    ["EUR 1.234,50", 1234.5],
    ["€ 12,50", 12.5],
    ["-3.5 %", -3.5],
    ["1 234 567", 1_234_567],
    ["1,234", null],
    ["1.234", null],
    ["1,2,3", null],
    ["12 of 15", null],
    ["soon", null],
    ["", null]
  ])("of %j as a number are %s", (words, value) => {
    assert.strictEqual(numberIn(words), value)
  })

  it("are found in a text made to be slow in no more time than any other", () => {
    for (const hostile of ["a: ".repeat(100_000), "*".repeat(300_000), "| ".repeat(150_000), "a  ".repeat(100_000), "#".repeat(300_000)]) {
      extract(schema, hostile)
      chunksOf(hostile, [0], false)
    }
  })
})

/** A line, as often as said, joined without a break. */
const Line = Schema.Struct({
  text: Schema.Union([Schema.Literals(["", "# A", "## B", "| a | b |", "| --- | --- |", "- one", "   ", ". ", "🙂"]), Schema.String]),
  times: Schema.Union([Schema.Literal(1), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 900 }))])
})
const Pages = Schema.NonEmptyArray(Schema.Array(Line))

describe("chunks", () => {
  it.prop("are slices in order that leave out nothing but blanks, within a page and the limit", [Pages], ([written]) => {
    const pieces = written.map((lines) => lines.map(({ text, times }) => text.repeat(times)).join("\n"))
    const markdown = pieces.join("\n\n")
    const starts = pieces.map((_, index) => pieces.slice(0, index).reduce((sum, piece) => sum + piece.length + 2, 0))
    let at = 0
    for (const { end, page, start, text } of chunksOf(markdown, starts, true)) {
      assert.strictEqual(text, markdown.slice(start, end))
      assert.isTrue(text.length > 0 && text.length <= 1500)
      assert.strictEqual(markdown.slice(at, start).trim(), "")
      const [from = 0, to = markdown.length] = [starts[(page ?? 0) - 1], starts[page ?? 0]]
      assert.isTrue(start >= from && end <= to)
      at = end
    }
    assert.strictEqual(markdown.slice(at).trim(), "")
  })

  it("know the heading that they stand under, and begin with it", () => {
    const chunks = chunksOf("before\n\n# A\n\none\n\n## B\n\ntwo", [0], false)
    assert.deepStrictEqual(chunks.map(({ heading, text }) => [heading, text]), [[null, "before"], ["A", "# A\n\none"], [
      "B",
      "## B\n\ntwo"
    ]])
  })
})
