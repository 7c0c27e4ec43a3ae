/** Fixes of form. A file is changed only where it is proven that it means the same afterwards. */
import { parseJson } from "@svc/kernel/values/json"
import type { Change } from "@svc/programs/patch"
import { parse } from "postcss"
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser"
import { parseAllDocuments } from "yaml"
import { isExact, textChecks } from "./checks/text.ts"
import { type HygieneFile, hygieneFile, isOwn } from "./files.ts"
import type { RuleId } from "./rule-table.ts"
import { isSameProgram } from "./syntax.ts"

/** Compilers and interpreters of these pass over a byte order mark. */
const MARK_IGNORED = /^\.(?:[cm]?[jt]sx?|py|css)$/u

const withoutMark = (text: string): string => text.replace(/^\ufeff/u, "")

const tidied = ({ extension, guarded, text }: HygieneFile): string => {
  const marked = text.startsWith("\ufeff") && !MARK_IGNORED.test(extension) ? "\ufeff" : ""
  const lines = withoutMark(text).split("\n")
  const crlf = lines.filter((line) => line.endsWith("\r")).length
  const isMixed = crlf > 0 && crlf < lines.length - 1
  const end = crlf > (lines.length - 1) / 2 ? "\r\n" : "\n"
  const last = lines.length - 1
  const tidy = lines.map((line, at) => {
    const isEnded = line.endsWith("\r") && at < last
    const own = isEnded ? line.slice(0, -1) : line
    const written = guarded.has(at) ? own : own.trimEnd()
    return written + (at === last ? "" : isMixed && !guarded.has(at) ? end : isEnded ? "\r\n" : "\n")
  }).join("")
  return marked + (tidy === "" || tidy.endsWith("\n") ? tidy : tidy + end)
}

const meanings: Readonly<Record<string, (text: string) => unknown>> = {
  ".json": parseJson,
  ".toml": (text) => getStaticTOMLValue(parseTOML(text)),
  ".css": (text) => {
    const nodes: Array<unknown> = []
    parse(text).walk(({ raws: _, source: __, parent: ___, ...node }) => {
      if (node.type !== "comment") nodes.push({ ...node, nodes: "nodes" in node && Array.isArray(node.nodes) ? node.nodes.length : null })
    })
    return nodes
  },
  ".yaml": (text) =>
    parseAllDocuments(text, { logLevel: "silent" }).map((document) => {
      if (document.errors.length > 0) throw new Error("it is no YAML")
      return document.toJS() as unknown
    })
}

const meaningOf = (extension: string) => meanings[extension === ".yml" ? ".yaml" : extension]

const isSame = async ({ extension, text }: HygieneFile, after: string): Promise<boolean> => {
  const [one, other] = [withoutMark(text), withoutMark(after)]
  const meaning = meaningOf(extension)
  if (meaning === undefined) return isSameProgram(extension, one, other)
  try {
    return JSON.stringify(meaning(one)) === JSON.stringify(meaning(other))
  } catch {
    return false
  }
}

export interface Fix extends Change {
  /** What is no longer found afterwards. */
  readonly mended: ReadonlySet<RuleId>
}

const rulesOf = (file: HygieneFile): ReadonlySet<RuleId> => new Set(textChecks(file).map(({ rule }) => rule))

/** What would change. A patch shows the lines around its changes, so no file with a secret is among these. */
export const fixesOf = async (files: ReadonlyArray<HygieneFile>): Promise<ReadonlyArray<Fix>> => {
  const changes: Array<Fix> = []
  for (const file of files) {
    if (!isOwn(file) || isExact(file)) continue
    const after = tidied(file)
    if (after === file.text || !await isSame(file, after)) continue
    const left = rulesOf(await hygieneFile(file.path, after))
    const mended = new Set(Array.from(rulesOf(file)).filter((rule) => !left.has(rule)))
    changes.push({ path: file.path, before: file.text, after, mended })
  }
  return changes
}
