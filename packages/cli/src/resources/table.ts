/** Lines of columns, which stand below each other. Pure. */
import { CliOutput } from "effect/cli"

/** Where lines are shown: how wide it is, where that is known, and whether it has colours. */
export interface Screen {
  readonly columns: number | undefined
  readonly canColor: boolean
}

export interface Table {
  readonly titles: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Which columns stand below each other by their last digit. */
  readonly right: ReadonlyArray<boolean>
}

const width = CliOutput.displayWidth

/** What fits in so many columns; what is left out is marked. */
const cut = (text: string, columns: number): string => {
  if (width(text) <= columns) return text
  let [kept, used] = ["", 1]
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += width(segment)
    if (used > columns) break
    kept += segment
  }
  return `${kept}…`
}

/** A cell of a table on a terminal is no wider, so that one long text leaves room for the others. */
const WIDEST = 40

/** The lines of a table, and the widths of its columns, for the lines that follow. Without a screen nothing is cut. */
export const tableLines = ({ right, rows, titles }: Table, { canColor, columns }: Screen, atLeast: ReadonlyArray<number> = []) => {
  const cells = rows.map((row) => row.map((cell) => columns === undefined ? cell : cut(cell, WIDEST)))
  const widths = titles.map((title, at) => Math.max(width(title), atLeast[at] ?? 0, ...cells.map((row) => width(row[at] ?? ""))))
  const line = (row: ReadonlyArray<string>): string => {
    const text = row.map((cell, at) => {
      const space = " ".repeat(Math.max(0, (widths[at] ?? 0) - width(cell)))
      return right[at] === true ? `${space}${cell}` : `${cell}${space}`
    }).join("  ").trimEnd()
    return columns === undefined ? text : cut(text, columns)
  }
  const head = line(titles)
  return { head: canColor ? `\u001b[1m${head}\u001b[22m` : head, lines: cells.map(line), widths }
}

/** Names and values. */
export const pairLines = (pairs: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  const widest = Math.max(0, ...pairs.map(([name]) => width(name)))
  return pairs.map(([name, value]) => `${name}${" ".repeat(widest - width(name))}  ${value}`)
}
