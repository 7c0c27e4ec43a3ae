/** Tables of Markdown, as GitHub writes them: made from rows, and found again. */

const cell = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replaceAll(/\s+/gu, " ").trim()

const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** The first row is the head; short rows are filled up. */
export const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const [head = "", ...rest] = rows.map((row) => line(Array.from({ length: width }, (_, index) => cell(row[index] ?? ""))))
  return [head, line(Array.from({ length: width }, () => "---")), ...rest].join("\n")
}

export type Span = {
  readonly start: number
  readonly end: number
}

export interface Cell extends Span {
  readonly text: string
}

const isRule = (line: string): boolean => {
  const cells = line.trim().replace(/^\|/u, "").replace(/\|$/u, "").split("|")
  return line.includes("|") && cells.every((cell) => /^:?-{3,}:?$/u.test(cell.trim()))
}

/** The cells of a line, with where their text stands in the whole; undefined for a line that is no row. */
const cellsOf = (line: string, offset: number): ReadonlyArray<Cell> | undefined => {
  if (!line.trimStart().startsWith("|")) return undefined
  return Array.from(line.matchAll(/\|((?:\\.|[^|\\])*)/gu), ({ 1: raw = "", index }) => {
    const text = raw.trim()
    const start = offset + index + 1 + raw.indexOf(text)
    return { text: text.replaceAll(/\\([\\|])/gu, "$1"), start, end: start + text.length }
  }).slice(0, -1)
}

export interface Table {
  readonly head: ReadonlyArray<Cell>
  readonly rows: ReadonlyArray<ReadonlyArray<Cell>>
}

/** Every table of a Markdown text. */
export const tablesOf = (markdown: string): ReadonlyArray<Table> => {
  const lines = markdown.split("\n")
  const tables: Array<{ readonly head: ReadonlyArray<Cell>; readonly rows: Array<ReadonlyArray<Cell>> }> = []
  let offset = 0
  let last: ReadonlyArray<Cell> | undefined
  let open: typeof tables[number] | undefined
  for (const line of lines) {
    const cells = cellsOf(line, offset)
    offset += line.length + 1
    if (cells === undefined) open = undefined
    else if (open !== undefined) open.rows.push(cells)
    else if (last !== undefined && isRule(line)) tables.push(open = { head: last, rows: [] })
    last = cells
  }
  return tables
}
