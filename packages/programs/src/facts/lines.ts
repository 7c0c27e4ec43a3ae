/** Texts line by line. */
import type { Span } from "./model.ts"

export interface Line {
  readonly text: string
  readonly span: Span
}

/** A line is longer than this in files that a program wrote, which no reader of lines is for. */
const LONGEST = 2000

/** Lines of a text without their ends; of a very long one, its beginning. */
export const linesWithSpans = (path: string, text: string): ReadonlyArray<Line> =>
  text.split("\n").map((line, at) => ({
    text: (line.endsWith("\r") ? line.slice(0, -1) : line).slice(0, LONGEST),
    span: { path, start_line: at + 1, end_line: at + 1 }
  }))

/** From the first line of one to the last line of the other. */
export const through = (first: Span, last: Span): Span => ({ ...first, end_line: Math.max(first.end_line, last.end_line) })
