/** Source code as the checks read it: line by line, without what does nothing. */
import type { File } from "@svc/tool-kit/fields"

/** What is prose is no sign that the code does it. */
const isProse = (path: string): boolean => /\.(?:md|mdx|txt|rst|adoc)$/iu.test(path)

const isComment = (line: string): boolean => /^\s*(?:\/\/|\/\*|\*|#(?!include)|--|<!--)/u.test(line)

export interface CodeLine {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** The lines that may do something: neither prose nor whole lines of comment. */
export const codeLines = (files: ReadonlyArray<File>): ReadonlyArray<CodeLine> =>
  files
    .filter(({ path }) => !isProse(path))
    .flatMap(({ content, path }) => content.split("\n").map((line, index) => ({ path, line: index + 1, text: line })))
    .filter((line) => !isComment(line.text))
