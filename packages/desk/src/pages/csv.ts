/**
 * CSV as RFC 4180 has it, safe to open in a spreadsheet: what one would run as a formula has an apostrophe before it. Pure.
 */

/** Begins a formula, also behind spaces and quotes, and in the wide forms of East Asian keyboards. */
const FORMULA = /^[\s"']*[=+\-@\t\r\n＝＋－＠]/u

/**
 * The same behind a semicolon, a tab or a line break. A spreadsheet that takes those for separators heeds no quote within a cell, and so
 * would begin one there.
 */
const INNER_FORMULA = /([;\t\r\n])(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠])/gu

/** Needs no quotes, whatever a spreadsheet takes for a separator. */
const PLAIN = /^[\w.:+-]*$/u

const quoted = (text: string): string => PLAIN.test(text) ? text : `"${text.replaceAll("\"", "\"\"")}"`

/** A text that somebody may have written to do harm. */
export const textCell = (text: string): string => {
  const harmless = text.replaceAll(INNER_FORMULA, "$1'")
  return quoted(FORMULA.test(text) ? `'${harmless}` : harmless)
}

/** Cells that are made of digits, such as a negative amount, stand as they are: no text of somebody else is in them. */
export const csvLine = (cells: ReadonlyArray<string>): string => `${cells.join(",")}\r\n`
