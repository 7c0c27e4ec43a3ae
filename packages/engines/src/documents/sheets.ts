/** Excel files and delimited text as tables of Markdown. */
import { parse } from "csv-parse/sync"
import readWorkbook from "read-excel-file/universal"
import { type Read, Refusal } from "./document.ts"
import { table } from "./tables.ts"

const DELIMITERS = [",", ";", "\t", "|"]

/** A date without a time is shown as a date. */
const shown = (value: unknown): string =>
  value === null || value === undefined ? "" : value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/u, "") : String(value)

const isFilled = (row: ReadonlyArray<string>): boolean => row.some((text) => text.trim() !== "")

export const readExcel = async (bytes: Buffer): Promise<Read> => {
  const sheets = await readWorkbook(new Blob([new Uint8Array(bytes)])).catch(() => {
    throw new Refusal("damaged", "The workbook cannot be read. Save it anew as .xlsx, and send it again, whole.")
  })
  const tables = sheets.flatMap(({ data, sheet }) => {
    const rows = data.map((row) => row.map(shown)).filter(isFilled)
    return rows.length === 0 ? [] : [`## ${sheet}\n\n${table(rows)}`]
  })
  if (tables.length === 0) throw new Refusal("empty", "The workbook has no filled cell.")
  return { pieces: [tables.join("\n\n")], pages: null }
}

/** The delimiter that most lines have, in the first of them. */
const delimiterOf = (text: string): string => {
  const [first = ""] = text.split("\n", 1)
  return DELIMITERS.map((delimiter) => [delimiter, first.split(delimiter).length] as const)
    .reduce((most, next) => next[1] > most[1] ? next : most, [",", 1] as const)[0]
}

export const readDelimited = (text: string): Read => {
  try {
    const rows: ReadonlyArray<ReadonlyArray<string>> = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true
    })
    return { pieces: [table(rows.filter(isFilled))], pages: null }
  } catch {
    throw new Refusal("damaged", "The text cannot be read as CSV: a quoted field is not closed.")
  }
}
