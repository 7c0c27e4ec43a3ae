/** Documents that other people's programs wrote, as Markdown; and files that nobody should write, refused by name. */
import { assert, describe, it } from "@effect/vitest"
import { strToU8, unzipSync, zipSync } from "fflate"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { engine } from "./parser.ts"
import * as produced from "./producers.fixture.ts"

const PANDOC = "/usr/bin/pandoc"
const hasPandoc = existsSync(PANDOC)

interface Answer {
  readonly format: string
  readonly markdown: string
  readonly page_count: number | null
  readonly table_count: number
  readonly truncated: boolean
  readonly refused?: { readonly reason: string; readonly message: string }
}

const read = async (bytes: Uint8Array, mediaType = ""): Promise<Answer> =>
  await engine(bytes, { media_type: mediaType, chunks: false, json_schema: null }) as unknown as Answer

const refusal = async (bytes: Uint8Array, mediaType?: string) => (await read(bytes, mediaType)).refused?.reason

const tableOf = (head: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const [HEAD, ...ROWS] = produced.ROWS
const TABLE = tableOf(HEAD, ...ROWS)
const SOURCE = `# ${produced.TITLE}\n\nTotal due: **42.00 EUR**\n\n${TABLE}\n\n日本語 and é\n`

const fromPandoc = (format: string): Buffer => {
  const { stderr, stdout } = spawnSync(
    PANDOC,
    ["--standalone", "--metadata", "title=t", "--from", "gfm", "--to", format, "--output", "-"],
    {
      input: SOURCE
    }
  )
  assert.isAbove(stdout.length, 0, String(stderr))
  return stdout
}

describe("a document of somebody else's library", () => {
  it.each([
    ["PDFKit", produced.pdfOfPdfKit],
    ["pdf-lib", produced.pdfOfPdfLib]
  ])("in PDF, by %s, has its heading, text, table and pages", async (_, make) => {
    const { format, markdown, page_count, table_count } = await read(await make())
    assert.deepStrictEqual([format, page_count, table_count], ["pdf", 2, 1])
    assert.strictEqual(markdown, `# ${produced.TITLE}\n\n${produced.TOTAL}\n\n${TABLE}\n\nSecond page`)
  })

  it("in Word, by docx", async () => {
    const { format, markdown, table_count } = await read(await produced.docxOfDocx())
    assert.deepStrictEqual([format, table_count], ["docx", 1])
    assert.strictEqual(markdown, `# ${produced.TITLE}\n\nTotal due: **42.00 EUR**\n\n${TABLE}`)
  })

  it("in PowerPoint, by PptxGenJS, with its slides and notes", async () => {
    const { format, markdown, page_count, table_count } = await read(await produced.pptxOfPptxGen())
    assert.deepStrictEqual([format, page_count, table_count], ["pptx", 2, 1])
    for (const part of [produced.TITLE, produced.TOTAL, TABLE, "Speak slowly", "Second page"]) assert.include(markdown, part)
  })

  it.each([
    ["xlsx", "SheetJS", async () => produced.spreadsheetOfSheetJs("xlsx")],
    ["xlsx", "write-excel-file", produced.xlsxOfWriteExcelFile]
  ])("in %s, by %s, with dates as dates", async (expected, _, make) => {
    const { format, markdown, table_count } = await read(await make())
    assert.deepStrictEqual([format, table_count], [expected, 1])
    assert.include(markdown, "## Prices\n\n")
    assert.include(markdown, "| Item | Price | When |\n")
    assert.include(markdown, "| Hat | 40 | 2024-01-02 |\n| Pin | 2 |  |")
  })

  it("in OpenDocument: a spreadsheet of SheetJS, a text and slides after the standard", async () => {
    const sheets = await read(produced.spreadsheetOfSheetJs("ods"))
    assert.deepStrictEqual([sheets.format, sheets.table_count], ["ods", 1])
    assert.include(sheets.markdown, "## Prices\n\n")
    assert.match(sheets.markdown, /\| Hat \| 40 \|/u)
    const text = await read(produced.odtByHand())
    assert.deepStrictEqual([text.format, text.table_count], ["odt", 1])
    assert.include(text.markdown, `# ${produced.TITLE}\n\n${produced.TOTAL}\n\n`)
    const slides = await read(produced.odpByHand())
    assert.deepStrictEqual([slides.format, slides.page_count], ["odp", 2])
    assert.strictEqual(slides.markdown, `${produced.TITLE}\n\nSecond page`)
  })
})

describe.skipIf(!hasPandoc)(
  hasPandoc ? "a document of pandoc" : "skipped: there is no pandoc here. Install it: apt-get install pandoc",
  () => {
    it.each(["docx", "odt", "pptx", "epub", "rtf", "html"])("in %s has its heading, emphasis, table and letters", async (format) => {
      const answer = await read(fromPandoc(format), format === "html" ? "text/html" : "")
      assert.deepStrictEqual([answer.format, answer.table_count], [format, 1])
      assert.match(answer.markdown, /^#{1,2} (?:t\n[^]*)?/u)
      for (const part of [produced.TITLE, "Total due: **42.00 EUR**", TABLE, "日本語 and é"]) assert.include(answer.markdown, part)
    })
  }
)

describe("text", () => {
  it.each([
    ["csv", "a;b\n1;\"x|y\"\n", "text/csv", tableOf(["a", "b"], ["1", "x\\|y"])],
    ["csv", "a\tb\n1\t2\n", "text/tab-separated-values", tableOf(["a", "b"], ["1", "2"])],
    ["json", "{\"a\": 1}", "application/json", "```json\n{\"a\": 1}\n```"],
    ["markdown", "# A\n\nb", "", "# A\n\nb"],
    ["text", "just words", "text/plain", "just words"],
    [
      "html",
      "<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body><h1>A</h1><script>x()</script><p>b</p></body></html>",
      "",
      "# A\n\nb"
    ]
  ])("of %s %j as %s", async (format, text, mediaType, markdown) => {
    assert.deepInclude(await read(Buffer.from(text), mediaType), { format, markdown })
  })

  it("is read in the charset that it has", async () => {
    const words = "Müller & Söhne"
    for (
      const [bytes, mediaType] of [
        [Buffer.from(words), ""],
        [Buffer.from(words, "latin1"), "text/plain"],
        [Buffer.from(`\ufeff${words}`, "utf16le"), ""],
        [Buffer.from(words, "latin1"), "text/plain; charset=ISO-8859-1"]
      ] as const
    ) assert.strictEqual((await read(bytes, mediaType)).markdown, words)
  })

  it("ends at 1 MiB, with a line that says so", async () => {
    const { markdown, truncated } = await read(Buffer.from("Zürich 12345\n".repeat(200_000)))
    assert.isTrue(truncated)
    assert.isAtMost(Buffer.byteLength(markdown), 1024 * 1024)
    assert.match(markdown, /Zürich 12345\n\n\[The document is longer\. What follows was left out\.\]$/u)
  })

  it("has its card numbers masked", async () => {
    assert.strictEqual((await read(Buffer.from("paid with 4242 4242 4242 4242"))).markdown, "paid with **** **** **** 4242")
  })
})

/** A workbook whose sheet is as many blanks longer. */
const swollen = (mebibytes: number): Record<string, Uint8Array> => {
  const files = unzipSync(produced.spreadsheetOfSheetJs("xlsx"))
  const blanks = new Uint8Array(mebibytes * 1024 * 1024).fill(32)
  return { ...files, "xl/worksheets/sheet1.xml": Buffer.concat([files["xl/worksheets/sheet1.xml"] ?? blanks, blanks]) }
}

/** Every header says that nothing is larger than 100 bytes. */
const lying = (archive: Uint8Array): Buffer => {
  const bytes = Buffer.from(archive)
  for (let at = 0; at + 30 < bytes.length; at++) {
    if (bytes.readUInt32LE(at) === 0x04034b50) bytes.writeUInt32LE(100, at + 22)
    if (bytes.readUInt32LE(at) === 0x02014b50) bytes.writeUInt32LE(100, at + 24)
  }
  return bytes
}

describe("a file that is not read", () => {
  it("is empty", async () => {
    assert.strictEqual(await refusal(new Uint8Array()), "empty")
    assert.strictEqual(await refusal(Buffer.from(" \n\t ")), "empty")
  })

  it.each([["text/csv", ",,\n,,"], ["text/csv", "|"], ["text/html", "<table><tr><td></td></tr></table>"], ["text/plain", "\u200b\u200b"]])(
    "has nothing to read, as %s: %j",
    async (type, text) => {
      assert.strictEqual(await refusal(Buffer.from(text), type), "empty")
    }
  )

  it("begins with comments without end, or has a media type of an odd name", async () => {
    assert.strictEqual((await read(Buffer.from(`${"<!---->".repeat(142)}x`))).format, "text")
    assert.strictEqual((await read(Buffer.from("<!-- one --> <!-- two --><html><body>Hello</body></html>"))).format, "html")
    for (const type of ["__proto__", "constructor"]) assert.strictEqual((await read(Buffer.from("Hello"), type)).format, "text")
  })

  it("is protected by a password", async () => {
    assert.strictEqual(await refusal(await produced.pdfOfPdfKit({ userPassword: "secret", pdfVersion: "1.7" })), "encrypted")
    const office = produced.spreadsheetOfSheetJs("xls")
    assert.strictEqual(await refusal(Buffer.concat([office, Buffer.from("EncryptedPackage", "utf16le")])), "encrypted")
  })

  it("opens without one where only its owner has a password", async () => {
    assert.strictEqual((await read(await produced.pdfOfPdfKit({ ownerPassword: "secret", pdfVersion: "1.7" }))).page_count, 2)
  })

  it("is of no format that is read", async () => {
    assert.strictEqual(await refusal(produced.spreadsheetOfSheetJs("xls")), "unknown")
    assert.strictEqual(await refusal(zipSync({ "a.txt": strToU8("a") })), "unknown")
    assert.strictEqual(await refusal(Buffer.from([1, 2, 3, 0, 200, 7])), "unknown")
    assert.strictEqual(await refusal(Buffer.from("RIFF\x24\0\0\0WAVEfmt ", "latin1")), "unknown")
  })

  it("shows pictures and no text", async () => {
    assert.strictEqual(await refusal(await produced.scannedPdf()), "without_text")
  })

  it("grows beyond reason when it is opened, whatever its headers say", async () => {
    const bomb = zipSync(swollen(20))
    assert.isBelow(bomb.length, 1024 * 1024)
    assert.strictEqual(await refusal(bomb), "too_large")
    assert.strictEqual(await refusal(lying(bomb)), "too_large")
  })

  it("has more pages than are read, or is nested deeper, and says so at once", async () => {
    assert.deepStrictEqual((await read(produced.pdfOfBlankPages(20_000))).refused, {
      reason: "too_large",
      message: "The PDF has 20000 pages, and may have 5000. Split it."
    })
    assert.strictEqual(await refusal(Buffer.from(`<!doctype html>${"<div>".repeat(300_000)}deep`)), "too_large")
  })

  it("holds more files than a document has", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}`, new Uint8Array()]))
    assert.strictEqual(await refusal(zipSync(many, { level: 0 })), "too_large")
  })

  it("is cut off", async () => {
    const whole = [await produced.docxOfDocx(), await produced.pptxOfPptxGen(), produced.spreadsheetOfSheetJs("xlsx")]
    for (const bytes of whole) assert.strictEqual(await refusal(bytes.subarray(0, bytes.length / 2)), "damaged")
    assert.strictEqual(await refusal(Buffer.from("%PDF-1.7\nnothing")), "damaged")
  })

  it("names entities of its own or of this machine, and gets neither", async () => {
    const files = unzipSync(await produced.docxOfDocx())
    const xml = Buffer.from(files["word/document.xml"] ?? []).toString()
    const external =
      "<!DOCTYPE w [<!ENTITY a SYSTEM \"file:///etc/passwd\"><!ENTITY b \"billion\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]>"
    const hostile = xml.replace(/(<\?xml[^>]*\?>)?/u, `$1${external}`).replace(produced.TITLE, "&a;&c;")
    const answer = await read(zipSync({ ...files, "word/document.xml": strToU8(hostile) }))
    assert.notMatch(answer.markdown ?? "", /root:|billionbillion/u)
  })
})
