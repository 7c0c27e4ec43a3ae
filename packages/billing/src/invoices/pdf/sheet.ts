/** The sheet that an invoice is drawn on: its pages, its styles, and the elements that a screen reader finds in it. */
import type PDFDocument from "pdfkit"
import type { Labels } from "./labels.ts"
import type { Column, Pen, Style } from "./pen.ts"
import type { PrintedView } from "./view.ts"

export const MARGIN = 56
const INK = "#1a1a1a"
export const SOFT = "#555555"
export const RULE = "#d0d0d0"
export const PLAIN = "#1a1a1a"

export const styles = {
  seller: { size: 15, weight: 700, color: INK },
  title: { size: 22, weight: 700, color: INK },
  heading: { size: 11, weight: 700, color: INK },
  head: { size: 8.5, weight: 700, color: SOFT },
  text: { size: 10, weight: 400, color: INK },
  strong: { size: 10, weight: 700, color: INK },
  soft: { size: 8.5, weight: 400, color: SOFT }
} satisfies Record<string, Style>

export type Doc = InstanceType<typeof PDFDocument>
export type Element = ReturnType<Doc["struct"]>

/** What every part of the page is drawn with. */
export interface Sheet {
  readonly doc: Doc
  readonly pen: Pen
  readonly view: PrintedView
  readonly labels: Labels
  /** A column from a share of the width to another, mirrored where the language is. */
  readonly column: (from: number, to: number, align?: "start" | "end") => Column
  readonly bottom: number
  /** Points below the top of the page. */
  y: number
  page: number
}

/** Drawn, and no part of what is read. */
const artifact = ({ doc }: Sheet, type: "Layout" | "Pagination", draw: () => void): void => {
  doc.markContent("Artifact", { type })
  draw()
  doc.endMarkedContent()
}

/** The types of pdfkit do not know what it knows of the head of a table. */
interface Options {
  actual?: string
  scope?: "Row" | "Column"
}

/** A screen reader reads the text itself, whatever order its glyphs lie in. */
const spoken = ({ pen }: Sheet, text: string): Options => pen.isShownOtherwise(text) ? { actual: text } : {}

interface Leaf {
  readonly tag: string
  readonly text: string
}

/** An element of one text, which `draw` writes. */
export const leaf = (sheet: Sheet, parent: Element, { tag, text }: Leaf, draw: (text: string) => void): void => {
  parent.add(sheet.doc.struct(tag, spoken(sheet, text), () => draw(text)))
}

interface Cell {
  readonly text: string
  /** Of a head. */
  readonly scope?: "Row" | "Column"
}

/** A cell of one text. */
export const cell = (sheet: Sheet, row: Element, { scope, text }: Cell, draw: (text: string) => void): void => {
  const options: Options = { ...spoken(sheet, text), ...(scope === undefined ? {} : { scope }) }
  row.add(sheet.doc.struct(scope === undefined ? "TD" : "TH", options, () => draw(text)))
}

export const element = (sheet: Sheet, parent: Element, tag: string, fill: (element: Element) => void): void => {
  const child = sheet.doc.struct(tag)
  parent.add(child)
  fill(child)
  child.end()
}

export const rule = (sheet: Sheet, color: string, thickness: number): void =>
  artifact(sheet, "Layout", () => {
    const { x, width } = sheet.column(0, 1)
    sheet.doc.rect(x, sheet.y, width, thickness).fill(color)
  })

export const footer = (sheet: Sheet): void =>
  artifact(sheet, "Pagination", () => {
    const { column, doc, labels, page, pen, view } = sheet
    // Below the margin, where pdfkit would begin a page: it is told that there is none.
    const { bottom } = doc.page.margins
    doc.page.margins.bottom = 0
    pen.write(`${view.seller.name} · ${view.title}`, doc.page.height - MARGIN / 1.5, column(0, 0.75), styles.soft)
    pen.write(labels.page(String(page)), doc.page.height - MARGIN / 1.5, column(0.75, 1, "end"), styles.soft)
    doc.page.margins.bottom = bottom
  })

const nextPage = (sheet: Sheet): void => {
  sheet.doc.addPage()
  sheet.page++
  sheet.y = MARGIN
  footer(sheet)
}

export const needs = (sheet: Sheet, height: number): boolean => {
  if (sheet.y + height <= sheet.bottom) return false
  nextPage(sheet)
  return true
}
