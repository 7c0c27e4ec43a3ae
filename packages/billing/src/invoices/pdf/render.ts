/**
 * The PDF of an invoice: tagged (headings, tables with their rows and cells), with a title and a language, every letter selectable, and the
 * same bytes for the same invoice. Right-to-left languages mirror the page.
 */
import PDFDocument from "pdfkit"
import type { FontFolders } from "./font-groups.ts"
import { fontsIn } from "./fonts.ts"
import { labelsFor } from "./labels.ts"
import { type Column, makePen, type Style } from "./pen.ts"
import { cell, type Doc, type Element, element, footer, leaf, MARGIN, needs, PLAIN, RULE, rule, type Sheet, SOFT, styles } from "./sheet.ts"
import type { PrintedView, Row, Sum } from "./view.ts"

const heading = (sheet: Sheet, root: Element, text: string): void => {
  needs(sheet, 60)
  leaf(sheet, root, { tag: "H2", text }, (shown) => {
    sheet.y = sheet.pen.write(shown, sheet.y, sheet.column(0, 1), styles.heading) + 4
  })
}

/** The seller on one side, the title on the other. */
const letterhead = (sheet: Sheet, root: Element): void => {
  const { column, pen, view } = sheet
  rule(sheet, view.seller.color ?? PLAIN, 4)
  const top = sheet.y + 20
  let [start, end] = [top, top]
  leaf(sheet, root, { tag: "P", text: view.seller.name }, (text) => {
    start = pen.write(text, top + 4, column(0, 0.55), styles.seller)
  })
  leaf(sheet, root, { tag: "H1", text: sheet.labels.invoice }, (text) => {
    end = pen.write(text, top, column(0.55, 1, "end"), styles.title)
  })
  for (const line of [view.status, ...(view.testMode === null ? [] : [view.testMode])]) {
    leaf(sheet, root, { tag: "P", text: line }, (text) => {
      end = pen.write(text, end, column(0.55, 1, "end"), { ...styles.strong, color: SOFT })
    })
  }
  sheet.y = Math.max(start, end) + 16
}

/** The customer on one side, number and dates on the other. */
const facts = (sheet: Sheet, root: Element): void => {
  const { column, pen, view } = sheet
  const top = sheet.y
  let start = top
  if (view.buyer.length > 0) {
    leaf(sheet, root, { tag: "H2", text: sheet.labels.billTo }, (text) => {
      start = pen.write(text, top, column(0, 0.42), styles.heading) + 2
    })
  }
  for (const line of view.buyer) {
    leaf(sheet, root, { tag: "P", text: line }, (text) => {
      start = pen.write(text, start, column(0, 0.42), styles.text)
    })
  }
  let end = top
  element(sheet, root, "Table", (table) => {
    for (const [label, value] of view.facts) {
      element(sheet, table, "TR", (row) => {
        const at = end
        cell(sheet, row, { text: label, scope: "Row" }, (text) => {
          end = pen.write(text, at, column(0.45, 0.64), { ...styles.text, color: SOFT })
        })
        cell(sheet, row, { text: value }, (text) => {
          end = Math.max(end, pen.write(text, at, column(0.6, 1, "end"), styles.text))
        })
      })
    }
  })
  sheet.y = Math.max(start, end) + 20
}

const tableHead = (sheet: Sheet, table: Element): void => {
  const { column, pen } = sheet
  element(sheet, table, "TR", (row) => {
    const at = sheet.y
    cell(sheet, row, { text: sheet.labels.description, scope: "Column" }, (text) => {
      sheet.y = pen.write(text, at, column(0, 0.72), styles.head)
    })
    cell(sheet, row, { text: sheet.labels.amount, scope: "Column" }, (text) => {
      pen.write(text, at, column(0.72, 1, "end"), styles.head)
    })
  })
  sheet.y += 3
  rule(sheet, RULE, 0.75)
  sheet.y += 6
}

const tableRow = (sheet: Sheet, table: Element, { amount, description, why }: Row): void => {
  const { column, pen } = sheet
  const [wide, narrow] = [column(0, 0.72), column(0.72, 1, "end")]
  const height = pen.height(description, wide, styles.text) + why.reduce((sum, line) => sum + pen.height(line, wide, styles.soft), 0)
  if (needs(sheet, height + 10)) tableHead(sheet, table)
  element(sheet, table, "TR", (row) => {
    const at = sheet.y
    element(sheet, row, "TD", (wideCell) => {
      leaf(sheet, wideCell, { tag: "P", text: description }, (text) => {
        sheet.y = pen.write(text, at, wide, styles.text)
      })
      for (const line of why) {
        leaf(sheet, wideCell, { tag: "P", text: line }, (text) => {
          sheet.y = pen.write(text, sheet.y, wide, styles.soft)
        })
      }
    })
    cell(sheet, row, { text: amount }, (text) => {
      pen.write(text, at, narrow, styles.text)
    })
  })
  sheet.y += 5
  rule(sheet, RULE, 0.5)
  sheet.y += 5
}

/** Where the words of the sums stand. */
const sumColumn = ({ column }: Sheet): Column => column(0.4, 0.72)
const sumStyle = ({ strong }: Sum): Style => strong ? styles.strong : styles.text
const SUM_GAP = 3

const sumRow = (sheet: Sheet, table: Element, sum: Sum): void => {
  const { column, pen } = sheet
  const { amount, label } = sum
  const style = sumStyle(sum)
  const [wide, narrow] = [sumColumn(sheet), column(0.72, 1, "end")]
  element(sheet, table, "TR", (row) => {
    const at = sheet.y
    cell(sheet, row, { text: label, scope: "Row" }, (text) => {
      sheet.y = pen.write(text, at, wide, style)
    })
    cell(sheet, row, { text: amount }, (text) => {
      pen.write(text, at, narrow, style)
    })
  })
  sheet.y += SUM_GAP
}

/** All on one page: a total that stands alone says nothing. */
const sums = (sheet: Sheet, root: Element): void => {
  const { pen, view } = sheet
  needs(sheet, view.sums.reduce((height, sum) => height + pen.height(sum.label, sumColumn(sheet), sumStyle(sum)) + SUM_GAP, 0))
  element(sheet, root, "Table", (table) => {
    for (const sum of view.sums) sumRow(sheet, table, sum)
  })
}

const draw = (sheet: Sheet, root: Element): void => {
  const { column, pen, view } = sheet
  footer(sheet)
  letterhead(sheet, root)
  facts(sheet, root)
  heading(sheet, root, sheet.labels.lines)
  element(sheet, root, "Table", (table) => {
    tableHead(sheet, table)
    for (const row of view.rows) tableRow(sheet, table, row)
  })
  sheet.y += 4
  sums(sheet, root)
  if (view.memo === null) return
  sheet.y += 16
  needs(sheet, pen.height(view.memo, column(0, 1), styles.text))
  leaf(sheet, root, { tag: "P", text: view.memo }, (text) => {
    sheet.y = pen.write(text, sheet.y, column(0, 1), styles.text)
  })
}

const open = (view: PrintedView): Doc =>
  new PDFDocument({
    size: view.paper,
    margin: MARGIN,
    pdfVersion: "1.7",
    tagged: true,
    displayTitle: true,
    lang: view.language,
    // No font but those that are embedded.
    font: "",
    info: { Title: view.title, Author: view.seller.name, Creator: "svc", Producer: "svc", CreationDate: new Date(view.at) }
  })

export interface PrintedPdf {
  readonly bytes: Uint8Array
  /** Code points that no font has. What is nearest to them is printed, or nothing; the text that is read aloud has them. */
  readonly undrawn: ReadonlyArray<number>
}

/**
 * The document, with the fonts that were fetched beside those that are always here. It takes some tens of milliseconds of the thread that
 * calls it: requests call `printer.ts` instead.
 */
export const renderPdf = async (view: PrintedView, fonts: FontFolders = {}): Promise<PrintedPdf> => {
  const doc = open(view)
  const chunks: Array<Uint8Array> = []
  const done = new Promise<Uint8Array>((resolve, reject) => {
    doc.on("data", (chunk: Uint8Array) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks))).on("error", reject)
  })
  const { height, width } = doc.page
  const inner = width - 2 * MARGIN
  const column: Sheet["column"] = (from, to, align = "start") => {
    const isLeft = (align === "start") !== view.rightToLeft
    return { x: MARGIN + inner * (view.rightToLeft ? 1 - to : from), width: inner * (to - from), align: isLeft ? "left" : "right" }
  }
  const pen = makePen(doc, fontsIn(fonts))
  const root = doc.struct("Document")
  doc.addStructure(root)
  draw({ doc, pen, view, labels: labelsFor(view.language).labels, column, bottom: height - MARGIN - 16, y: MARGIN - 16, page: 1 }, root)
  root.end()
  doc.end()
  return { bytes: await done, undrawn: Array.from(pen.undrawn) }
}
