/** Documents as other people's libraries write them. Each says the same: an invoice with a total, and two positions in a table. */
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib"
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun } from "docx"
import { strToU8, zipSync } from "fflate"
import PdfKit from "pdfkit"
import PptxGen from "pptxgenjs"
import writeWorkbook from "write-excel-file/node"
import { utils, write } from "xlsx"

export const TITLE = "Invoice 17"
export const TOTAL = "Total due: 42.00 EUR"
export const ROWS = [["Item", "Price"], ["Hat", "40.00"], ["Pin", "2.00"]] as const

const collected = (pdf: PDFKit.PDFDocument): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk))
    pdf.on("end", () => resolve(Buffer.concat(chunks)))
    pdf.end()
  })

export const pdfOfPdfKit = (options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> => {
  const pdf = new PdfKit(options)
  pdf.fontSize(24).text(TITLE, 50, 60).fontSize(12).text(TOTAL, 50, 110)
  ROWS.forEach((row, line) => row.forEach((cell, column) => pdf.text(cell, 50 + column * 150, 150 + line * 16)))
  pdf.addPage().text("Second page")
  return collected(pdf)
}

export const pdfOfPdfLib = async (pages = 2): Promise<Buffer> => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage()
    if (number > 1) {
      page.drawText("Second page", { x: 50, y: 700, size: 12, font })
      continue
    }
    page.drawText(TITLE, { x: 50, y: 700, size: 24, font })
    page.drawText(TOTAL, { x: 50, y: 650, size: 12, font })
    ROWS.forEach((row, line) =>
      row.forEach((cell, column) => page.drawText(cell, { x: 50 + column * 150, y: 600 - line * 16, size: 12, font }))
    )
  }
  return Buffer.from(await pdf.save())
}

/** Pages that are pictures. */
export const scannedPdf = async (): Promise<Buffer> => {
  const pdf = await PDFDocument.create()
  const image = await pdf.embedPng(WHITE_PNG)
  for (const _ of [1, 2]) pdf.addPage().drawImage(image, { x: 0, y: 0, width: 500, height: 700 })
  return Buffer.from(await pdf.save())
}

/** One white pixel. */
export const WHITE_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAGEEVpgAAAABJRU5ErkJggg==",
  "base64"
)

export const docxOfDocx = (): Promise<Buffer> =>
  Packer.toBuffer(
    new Document({
      sections: [{
        children: [
          new Paragraph({ text: TITLE, heading: HeadingLevel.HEADING_1 }),
          new Paragraph({ children: [new TextRun("Total due: "), new TextRun({ text: "42.00 EUR", bold: true })] }),
          new Table({
            rows: ROWS.map((row) => new TableRow({ children: row.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) }))
          })
        ]
      }]
    })
  )

/** Its types describe another kind of module than Node.js loads. */
const Deck = PptxGen as unknown as typeof PptxGen.default

export const pptxOfPptxGen = async (): Promise<Buffer> => {
  const deck = new Deck()
  const slide = deck.addSlide()
  slide.addText(TITLE, { x: 1, y: 1, w: 5, h: 1 })
  slide.addText(TOTAL, { x: 1, y: 2, w: 5, h: 1 })
  slide.addTable(ROWS.map((row) => row.map((text) => ({ text }))), { x: 1, y: 3 })
  slide.addNotes("Speak slowly")
  deck.addSlide().addText("Second page", { x: 1, y: 1, w: 5, h: 1 })
  return Buffer.from(await deck.write({ outputType: "uint8array" }) as Uint8Array)
}

const sheet = [[TITLE], ["Total due", 42], [], ["Item", "Price", "When"], ["Hat", 40, new Date("2024-01-02")], ["Pin", 2, null]]

export const spreadsheetOfSheetJs = (type: "xlsx" | "ods" | "xls"): Buffer => {
  const workbook = utils.book_new()
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(sheet, { cellDates: true }), "Prices")
  return Buffer.from(write(workbook, { bookType: type, type: "buffer" }))
}

export const xlsxOfWriteExcelFile = (): Promise<Buffer> => writeWorkbook(sheet, { sheet: "Prices", dateFormat: "yyyy-mm-dd" }).toBuffer()

/** OpenDocument by hand, after ODF 1.3: no library on npm writes it well. */
const openDocument = (type: string, body: string): Buffer =>
  Buffer.from(zipSync({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${type}`), { level: 0 }],
    "META-INF/manifest.xml": strToU8(
      `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">` +
        `<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.${type}"/></manifest:manifest>`
    ),
    "content.xml": strToU8(
      `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" ` +
        `xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
        `xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.3">` +
        `<office:body>${body}</office:body></office:document-content>`
    )
  }))

const odfTable = `<table:table table:name="Prices">${
  ROWS.map((row) =>
    `<table:table-row>${row.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join("")}</table:table-row>`
  ).join("")
}</table:table>`

export const odtByHand = (): Buffer =>
  openDocument("text", `<office:text><text:h text:outline-level="1">${TITLE}</text:h><text:p>${TOTAL}</text:p>${odfTable}</office:text>`)

export const odpByHand = (): Buffer =>
  openDocument(
    "presentation",
    `<office:presentation>${
      [TITLE, "Second page"].map((text) =>
        `<draw:page draw:name="p"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`
      ).join("")
    }</office:presentation>`
  )

/** A PDF by hand, with as many pages as somebody says, and nothing on them. */
export const pdfOfBlankPages = (count: number): Buffer => {
  const kids = Array.from({ length: count }, (_, n) => `${n + 3} 0 R`).join(" ")
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
    ...Array.from({ length: count }, () => "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")
  ]
  const parts = ["%PDF-1.4\n", ...objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`)]
  let at = 0
  const starts = parts.map((part) => (at += part.length) - part.length)
  const entries = starts.slice(1).map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${parts.length}\n0000000000 65535 f \n${entries}`
  return Buffer.from(`${parts.join("")}${table}trailer\n<< /Size ${parts.length} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`)
}
