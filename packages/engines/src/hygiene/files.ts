/** The files of a repository as checks see them. */
import { fileFact } from "@svc/programs/facts/files"
import type { FileRole } from "@svc/programs/facts/model"
import { lineAt } from "@svc/programs/facts/positions"
import { basename, extname } from "node:path/posix"
import { vendoredFolder } from "../analysis/paths.ts"
import type { Finding, RuleId } from "./rule-table.ts"
import { type Syntax, syntaxOf } from "./syntax.ts"

export interface HygieneFile extends Syntax {
  readonly path: string
  readonly name: string
  /** With its dot, in lower case. */
  readonly extension: string
  readonly text: string
  /** Of UTF-8. */
  readonly bytes: number
  readonly isBinary: boolean
  readonly language: string
  readonly role: FileRole
  /** In a folder that holds the work of others, or what a build makes. */
  readonly isForeign: boolean
}

const LANGUAGES: ReadonlySet<string> = new Set(
  "TypeScript JavaScript Python Go Rust Java Kotlin C# PHP Ruby C C++ Solidity Swift Dart Shell".split(" ")
)

/** Of the project itself, and text. */
export const isOwn = ({ isBinary, isForeign }: HygieneFile): boolean => !isBinary && !isForeign
export const isCode = (file: HygieneFile): boolean => isOwn(file) && LANGUAGES.has(file.language)
export const isJavaScript = ({ language }: HygieneFile): boolean => language === "TypeScript" || language === "JavaScript"

export const hygieneFile = async (path: string, text: string): Promise<HygieneFile> => {
  const { bytes, language, role } = fileFact(path, text).value
  const file = {
    path,
    name: basename(path),
    extension: extname(path).toLowerCase(),
    text,
    bytes,
    isBinary: text.includes("\0"),
    language,
    role,
    isForeign: vendoredFolder(path) !== undefined
  }
  return { ...file, ...await syntaxOf(file.isBinary || file.isForeign ? { extension: "", text } : file) }
}

/** Where a pattern matches in a file: one finding, at the first place. */
export const firstOf = (rule: RuleId, { path, text }: Pick<HygieneFile, "path" | "text">, pattern: RegExp): ReadonlyArray<Finding> => {
  const [first, ...others] = Array.from(text.matchAll(pattern), ({ index }) => index)
  return first === undefined ? [] : [{ rule, path, line: lineAt(text)(first), times: others.length + 1 }]
}

/** Where a pattern matches in a file: a finding each. */
export const eachOf = (rule: RuleId, { path, text }: Pick<HygieneFile, "path" | "text">, pattern: RegExp): ReadonlyArray<Finding> => {
  const line = lineAt(text)
  return Array.from(text.matchAll(pattern), ({ index }) => ({ rule, path, line: line(index) }))
}
