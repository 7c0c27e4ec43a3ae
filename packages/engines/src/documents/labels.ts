/** What a Markdown text says with a label: lines of `Label: value`, and tables of two columns or one row. */
import { type Cell, type Span, type Table, tablesOf } from "./tables.ts"

export interface Labelled extends Span {
  /** As `labelOf` writes it. */
  readonly label: string
  readonly text: string
}

export interface Section extends Span {
  readonly label: string
  readonly level: number
}

const LONGEST_LABEL = 80

/** The text up to where the pattern, which goes as far as it can, ends. */
const without = (pattern: RegExp, text: string): string => pattern.exec(text)?.[0] ?? ""

/** A label, a heading and the name of a property are compared in this form: `invoiceNumber` is `Invoice_number:` is `invoice number`. */
export const labelOf = (text: string): string =>
  without(/^[^]*[^:：\s]/u, text.normalize("NFKC").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll(/[\s_*`-]+/gu, " ")).trim()
    .toLowerCase()

/** Without the marks of emphasis around the text. */
const bare = ({ start, text }: Cell): Cell => {
  const [, before = ""] = /^([*_`\s]*)/u.exec(text) ?? []
  const inner = text.slice(before.length).trimEnd()
  const kept = before.trim() === "" ? inner : without(/^[^]*[^*_`]/u, inner).trimEnd()
  return { text: kept, start: start + before.length, end: start + before.length + kept.length }
}

const pair = (label: string, value: Cell): ReadonlyArray<Labelled> => {
  const { end, start, text } = bare(value)
  return label.length > LONGEST_LABEL || labelOf(label) === "" || text === "" ? [] : [{ label: labelOf(label), text, start, end }]
}

/** Parts of a line that wide blanks divide. */
const partsOf = (line: string, offset: number): ReadonlyArray<Cell> =>
  Array.from(line.matchAll(/\S+(?: \S+)*/gu), ({ 0: text, index }) => ({ text, start: offset + index, end: offset + index + text.length }))

const pairsOfLine = (line: string, offset: number): ReadonlyArray<Labelled> => {
  const [bullet = ""] = /^\s*(?:[-*+>] )?/u.exec(line) ?? []
  const parts = partsOf(line.slice(bullet.length), offset + bullet.length)
  const [first, second] = parts
  if (parts.length === 2 && first !== undefined && second !== undefined && !/[:：]./u.test(first.text)) return pair(first.text, second)
  return parts.flatMap((part, index) => {
    const [all = "", label = ""] = /^([^:：]*)[:：][*_`]*(?:\s+|$)/u.exec(part.text) ?? []
    if (all === "") return []
    const next = parts[index + 1]
    if (all.length < part.text.length) {
      return pair(label, { text: part.text.slice(all.length), start: part.start + all.length, end: part.end })
    }
    return next === undefined ? [] : pair(label, next)
  })
}

const pairsOfTable = ({ head, rows }: Table): ReadonlyArray<Labelled> => {
  const [row = []] = rows
  if (head.length === 2) return [head, ...rows].flatMap(([label, value]) => label && value ? pair(label.text, value) : [])
  return rows.length === 1 ? head.flatMap(({ text }, index) => row[index] === undefined ? [] : pair(text, row[index])) : []
}

export interface Contents {
  readonly labelled: ReadonlyArray<Labelled>
  readonly sections: ReadonlyArray<Section>
  readonly tables: ReadonlyArray<Table>
}

export const contentsOf = (markdown: string): Contents => {
  const tables = tablesOf(markdown)
  const labelled = tables.flatMap(pairsOfTable)
  const headings: Array<{ readonly label: string; readonly level: number; readonly start: number; readonly after: number }> = []
  let offset = 0
  for (const line of markdown.split("\n")) {
    const [, marks = "", title = ""] = /^(#{1,6}) ([^]*)$/u.exec(line) ?? []
    if (marks !== "") headings.push({ label: labelOf(title), level: marks.length, start: offset, after: offset + line.length })
    else if (!line.startsWith("|")) labelled.push(...pairsOfLine(line, offset))
    offset += line.length + 1
  }
  const sections = headings.map(({ after, label, level }, index): Section => ({
    label,
    level,
    start: after,
    end: headings.slice(index + 1).find((next) => next.level <= level)?.start ?? markdown.length
  }))
  return { labelled, sections, tables }
}
