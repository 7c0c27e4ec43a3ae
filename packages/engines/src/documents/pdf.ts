/** PDF as Markdown: lines by where their letters stand, headings by their size, tables by columns that align. */
import { getDocumentProxy } from "unpdf"
import { type Read, Refusal } from "./document.ts"
import { table } from "./tables.ts"

interface Item {
  readonly str: string
  readonly transform: ReadonlyArray<number>
  readonly width: number
  readonly hasEOL: boolean
}

/** Text that stands apart from what is left and right of it. */
interface Cell {
  readonly x: number
  end: number
  text: string
}

interface Line {
  readonly y: number
  readonly size: number
  readonly cells: Array<Cell>
}

/** In heights of a letter: what makes a new line, a blank between words, a new cell, and a new paragraph. */
const LINE = 0.5
const BLANK = 0.15
const CELL = 1.2
const PARAGRAPH = 1.7
/** How much larger than the text a heading is. */
const LARGER = 1.15
const LONGEST_HEADING = 120
/** Pages, blank ones too: pdf.js takes milliseconds for each. A book of so many is longer than what is kept of it. */
const MOST_PAGES = 5_000
/** Points that the cells of a column may stand apart. */
const COLUMN = 6

const linesOf = (items: ReadonlyArray<Item>): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let line: Line | undefined
  for (const { hasEOL, str, transform: [a = 0, b = 0, , , x = 0, y = 0], width } of items) {
    if (str.trim() !== "") {
      const size = Math.hypot(a, b)
      if (line === undefined || Math.abs(line.y - y) > LINE * size) lines.push(line = { y, size, cells: [] })
      const last = line.cells.at(-1)
      const gap = last === undefined ? Infinity : x - last.end
      if (last === undefined || gap > CELL * size || gap < -size) line.cells.push({ x, end: x + width, text: str })
      else {
        last.text += (gap > BLANK * size && !last.text.endsWith(" ") && !str.startsWith(" ") ? " " : "") + str
        last.end = x + width
      }
    } else if (line !== undefined) {
      const last = line.cells.at(-1)
      // A wide blank divides cells; a narrow one is a blank.
      if (last !== undefined && width > 0 && width <= CELL * line.size && !last.text.endsWith(" ")) {
        last.text += " "
        last.end += width
      }
    }
    if (hasEOL) line = undefined
  }
  return lines
}

/** The size of most letters. */
const textSize = (pages: ReadonlyArray<ReadonlyArray<Line>>): number => {
  const letters = new Map<number, number>()
  for (const { cells, size } of pages.flat()) {
    const rounded = Math.round(size)
    letters.set(rounded, cells.reduce((sum, { text }) => sum + text.length, letters.get(rounded) ?? 0))
  }
  return Array.from(letters).reduce((most, next) => next[1] > most[1] ? next : most, [0, 0])[0]
}

const isAligned = (one: Line, other: Line): boolean =>
  one.cells.length > 1 && one.cells.length === other.cells.length &&
  one.cells.every((cell, index) => {
    const below = other.cells[index]
    // Columns of numbers align at their right.
    return below !== undefined && (Math.abs(cell.x - below.x) < COLUMN || Math.abs(cell.end - below.end) < COLUMN)
  })

const textOf = ({ cells }: Line): string => cells.map(({ text }) => text.trim()).join("  ")

const markdownOf = (lines: ReadonlyArray<Line>, size: number): string => {
  const larger = Array.from(new Set(lines.map((line) => Math.round(line.size)))).filter((one) => one > LARGER * size).toSorted((a, b) =>
    b - a
  )
  let markdown = ""
  let previous: Line | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined) break
    const rows = [line]
    for (let next = lines[at + 1]; next !== undefined && isAligned(line, next); next = lines[at + rows.length]) rows.push(next)
    const text = textOf(line)
    const rank = larger.indexOf(Math.round(line.size))
    const isHeading = rank !== -1 && text.length <= LONGEST_HEADING
    const isTable = rows.length > 1
    const isApart = previous === undefined || Math.abs(previous.y - line.y) > PARAGRAPH * Math.max(previous.size, line.size)
    const block = isTable
      ? table(rows.map(({ cells }) => cells.map(({ text }) => text)))
      : isHeading
      ? `${"#".repeat(Math.min(rank + 1, 6))} ${text}`
      : text
    markdown += (markdown === "" ? "" : isApart || isTable || isHeading ? "\n\n" : "\n") + block
    previous = isTable || isHeading ? undefined : line
    at += rows.length - 1
  }
  return markdown
}

const opened = async (bytes: Buffer) => {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { stopAtErrors: false, verbosity: 0 })
  } catch (error) {
    const name = error instanceof Error ? error.name : ""
    throw name === "PasswordException"
      ? new Refusal("encrypted", "The PDF is protected by a password. Save it without one.")
      : new Refusal("damaged", "The file begins as a PDF and cannot be read as one. Send it again, whole.")
  }
}

export const readPdf = async (bytes: Buffer, most: number): Promise<Read> => {
  const document = await opened(bytes)
  try {
    if (document.numPages > MOST_PAGES) {
      throw new Refusal("too_large", `The PDF has ${document.numPages} pages, and may have ${MOST_PAGES}. Split it.`)
    }
    const pages: Array<ReadonlyArray<Line>> = []
    let length = 0
    for (let number = 1; number <= document.numPages && length <= most; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      const lines = linesOf(items.filter((item) => "str" in item))
      length += lines.reduce((sum, line) => sum + textOf(line).length, 0)
      pages.push(lines)
      page.cleanup()
    }
    if (length === 0) {
      throw new Refusal("without_text", "The PDF has pages and no text: its pages are pictures, as a scanner makes them, or blank.")
    }
    const size = textSize(pages)
    return { pieces: pages.map((lines) => markdownOf(lines, size)), pages: document.numPages }
  } finally {
    await document.loadingTask.destroy()
  }
}
