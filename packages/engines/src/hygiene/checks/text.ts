/** Texts of any language: ends of lines, signs that nobody sees, conflicts, sizes. */
import { lineAt } from "@svc/programs/facts/positions"
import { type ParseError, parseTree } from "jsonc-parser"
import { parseAllDocuments } from "yaml"
import { eachOf, type HygieneFile, isCode, isOwn } from "../files.ts"
import type { Finding } from "../rule-table.ts"

/** Formats in which spaces at the end of a line mean something. */
const MEANT = /\.(?:md|mdx|markdown|rst|txt|patch|diff|snap|csv|tsv|svg)$|(?:^|\/)(?:__snapshots__|snapshots|testdata|golden|fixtures?)\//u

export const isExact = ({ path }: Pick<HygieneFile, "path">): boolean => MEANT.test(path)

const TRAILING = /(?<![ \t])[ \t]+(?=\r?$)/gmu

/** Spaces at the ends of lines that do not stand within a string. */
const trailing = ({ guarded, path, text }: HygieneFile): ReadonlyArray<Finding> => {
  const line = lineAt(text)
  const [first, ...others] = Array.from(text.matchAll(TRAILING), ({ index }) => line(index)).filter((at) => !guarded.has(at - 1))
  return first === undefined ? [] : [{ rule: "trailing-whitespace", path, line: first, times: others.length + 1 }]
}

/** The first line that ends otherwise than most. */
const mixedEnds = ({ path, text }: HygieneFile): ReadonlyArray<Finding> => {
  const crlf = text.split("\r\n").length - 1
  const lf = text.split("\n").length - 1 - crlf
  if (crlf === 0 || lf === 0) return []
  const rarer = crlf < lf ? /\r\n/u : /(?<!\r)\n/u
  return [{ rule: "mixed-line-endings", path, line: lineAt(text)(text.search(rarer)), times: Math.min(crlf, lf) }]
}

/** Lines at which a conflict of a merge begins that has its middle and its end, too. */
const conflicts = ({ path, text }: HygieneFile): ReadonlyArray<Finding> => {
  const found: Array<Finding> = []
  let start: number | undefined
  let isSecond = false
  for (const [n, line] of text.split("\n").entries()) {
    if (line.startsWith("<<<<<<< ")) [start, isSecond] = [n + 1, false]
    else if (line.trimEnd() === "=======") isSecond = start !== undefined
    else if (line.startsWith(">>>>>>> ")) {
      if (start !== undefined && isSecond) found.push({ rule: "conflict-marker", path, line: start })
      start = undefined
    }
  }
  return found
}

/** Directions of text that overrule the order of letters. */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069]/gu

/** Formats of JSON that may hold comments. */
const WITH_COMMENTS = /\.jsonc$|(?:^|\/)(?:[jt]sconfig[^/]*|\.eslintrc|\.babelrc|devcontainer|settings|launch|tasks|extensions)\.json$/u

const invalid = (file: HygieneFile): ReadonlyArray<Finding> => {
  const { extension, path, text } = file
  if (extension === ".json" && !WITH_COMMENTS.test(path) && text.trim() !== "") {
    const errors: Array<ParseError> = []
    parseTree(text.replace(/^\ufeff/u, ""), errors, { disallowComments: true, allowTrailingComma: false })
    const [first] = errors
    return first === undefined ? [] : [{ rule: "invalid-json", path, line: lineAt(text)(first.offset) }]
  }
  // Templates of Helm and Jinja are YAML only when they are filled in.
  if (/^\.ya?ml$/u.test(extension) && !/\{\{|\{%/u.test(text)) {
    const error = parseAllDocuments(text, { logLevel: "silent" }).flatMap((document) => document.errors)[0]
    return error === undefined ? [] : [{ rule: "invalid-yaml", path, line: lineAt(text)(error.pos[0]) }]
  }
  return []
}

export const textChecks = (file: HygieneFile): ReadonlyArray<Finding> => {
  const { extension, language, path, text } = file
  if (!isOwn(file)) return []
  const exact = isExact(file)
  const isProse = language === "Markdown" || language === "reStructuredText"
  return [
    ...(isProse || exact ? [] : conflicts(file)),
    ...(isCode(file) ? eachOf("bidirectional-text", file, BIDIRECTIONAL) : []),
    ...(/^#![^\n]*\r\n/u.test(text) ? [{ rule: "shebang-crlf", path, line: 1 } as const] : []),
    ...(text.startsWith("\ufeff") && extension !== ".csv" ? [{ rule: "byte-order-mark", path, line: 1 } as const] : []),
    ...(exact ? [] : mixedEnds(file)),
    ...(exact ? [] : trailing(file)),
    ...(exact || text === "" || text.endsWith("\n") ? [] : [{ rule: "final-newline", path, line: lineAt(text)(text.length) } as const]),
    ...(exact ? [] : invalid(file))
  ]
}
