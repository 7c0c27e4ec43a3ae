/**
 * Passwords and tokens that have no form of their own and are known by the name before them: assignments, entries, flags, queries and what
 * a program falls back to. Each name is looked at once and everything after it within bounds: the time grows with the text's length only.
 */
import { basename, extname } from "node:path/posix"
import { isSecretValue, namesSecret, wordsOf } from "./secret-values.ts"

/** How values without quotes are read: as an expression, as words among words, to the end of the line, or as they are. */
type Kind = "code" | "prose" | "lines" | "data"

const CODE = new Set(
  ("astro c cc clj cpp cs css cts dart ex exs gd go gradle graphql groovy h hcl hpp html ipynb java jl js json json5 jsonc jsx kt kts " +
    "less lua m mjs mts cjs nix php pl prisma proto py pyi r rb rs scala scss sol sql svelte swift tf tfvars toml ts tsx vue xml zig")
    .split(" ").map((end) => `.${end}`)
)
const PROSE = new Set([".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"])

const kindOf = (path: string): Kind => {
  const [name, end] = [basename(path), extname(path).toLowerCase()]
  if (/^\.env|\.env$|^\.(?:npmrc|pypirc|netrc)$/u.test(name) || /^\.(?:properties|ini|cfg|conf)$/u.test(end)) return "lines"
  if (CODE.has(end)) return "code"
  return PROSE.has(end) || /^[A-Z]{4,20}$/u.test(name) ? "prose" : "data"
}

/** A name, and where it stands. `before` is what stands before it, as far as it tells something. */
interface Name {
  readonly text: string
  readonly kind: Kind
  readonly name: string
  readonly before: string
  /** Behind the name. */
  readonly end: number
}

interface Span {
  readonly start: number
  readonly end: number
  readonly as: "*" | "x" | "9"
}

const LONGEST_NAME = 80
const BEFORE = 60
const hint = /pass|pwd|secret|token|key|auth/giu
const nameSign = /[\w.-]/u
const nameRest = /[\w-]{0,80}/uy

/** Where a sticky pattern that is tried there ends; undefined where it does not fit. */
const behind = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const nameAt = (text: string, kind: Kind, at: number, from: number): Name => {
  let start = at
  while (start > from && at - start < LONGEST_NAME && nameSign.test(text.charAt(start - 1))) start--
  const end = behind(nameRest, text, at) ?? at
  return { text, kind, name: text.slice(start, end), before: text.slice(Math.max(0, start - BEFORE), start), end }
}

const quote = /[bBfFrRuU@]{0,2}(?:"""|'''|\\?["'`])/uy
const insides: Readonly<Record<string, RegExp>> = {
  "\"": /(?:[^"\\\n]|\\[^\n]){1,2000}(?=")/uy,
  "'": /(?:[^'\\\n]|\\[^\n]){1,2000}(?=')/uy,
  "`": /(?:[^`\\\n]|\\[^\n]){1,2000}(?=`)/uy,
  "\\": /[^"'`\\\n]{1,2000}(?=\\["'`])/uy
}
const thenKey = /\\?["'`]\s{0,8}:(?!\/)/uy

/** The value within quotes that begins at this place. */
const quoted = ({ name, text }: Name, at: number): Span | undefined => {
  const start = behind(quote, text, at)
  if (start === undefined) return undefined
  const opened = text.slice(at, start)
  const inside = insides[opened.includes("\\") ? "\\" : opened.slice(-1)]
  const end = inside === undefined ? undefined : behind(inside, text, start)
  if (end === undefined || behind(thenKey, text, end) !== undefined) return undefined
  const value = text.slice(start, end)
  return /\s/u.test(value) || !isSecretValue(name, value) ? undefined : { start, end, as: "*" }
}

/** Letters are valid wherever a bare value is, as stars are not: they begin an alias of YAML and a pattern of a shell. */
const bare = ({ name }: Name, start: number, value: string): Span | undefined =>
  value === "" || !isSecretValue(name, value)
    ? undefined
    : { start, end: start + value.length, as: /^\d+$/u.test(value) ? "9" : "x" }

const taken = (pattern: RegExp, text: string, at: number): string => text.slice(at, behind(pattern, text, at) ?? at)

const line = /[^\r\n]{1,2000}/uy
const unspaced = /[^\s]{1,2000}/uy
const word = /[^\s"'`]{1,2000}/uy
const pieceOfCode = /[^\s"'`\\,;()[\]{}]{1,2000}/uy
const digits = /\d{6,40}(?![\w.])/uy
const afterPiece = /[\s"'`\\]/u
const lineStart = /(?:^|\n)[ \t]{0,40}(?:- |export |set |ENV |ARG |[\w/.:-]{1,40}:)?$/u

/** A value without quotes, in code: a number, or what a string of shell gives a variable. */
const bareInCode = (found: Name, at: number): Span | undefined => {
  const number = behind(digits, found.text, at)
  if (number !== undefined) return bare(found, at, found.text.slice(at, number))
  const isVariable = found.text[found.end] === "=" && at === found.end + 1 && /^[A-Z][A-Z0-9_]{1,80}$/u.test(found.name)
  if (!isVariable || !/[ "'`]$/u.test(found.before)) return undefined
  const value = taken(pieceOfCode, found.text, at)
  const after = found.text.charAt(at + value.length)
  return afterPiece.test(after) && after !== "\n" ? bare(found, at, value) : undefined
}

/** What YAML does not read as text. */
const structure = /^[{[|>&*!%@#]/u

const withoutComment = (value: string): string => {
  const comment = value.search(/[ \t]#/u)
  return (comment < 0 ? value : value.slice(0, comment)).trimEnd()
}

const bareInData = (found: Name, at: number): Span | undefined => {
  const { before, kind, text } = found
  const assigned = text.slice(found.end, at).includes("=")
  if (!assigned && (structure.test(text.charAt(at)) || at === found.end + 1 && kind !== "lines")) return undefined
  const isLine = lineStart.test(before)
  if (kind === "lines" && isLine) return bare(found, at, withoutComment(taken(line, text, at)))
  const value = isLine && kind === "data" ? taken(unspaced, text, at) : taken(word, text, at).replace(/[,;)\]}>]{1,8}$/u, "")
  if (kind !== "prose") return bare(found, at, value)
  return at === found.end + 1 || /\d/u.test(value) && value.length >= 6 ? bare(found, at, value) : undefined
}

const valueAt = (found: Name, at: number): Span | undefined => {
  if (behind(quote, found.text, at) !== undefined) return quoted(found, at)
  return found.kind === "code" ? bareInCode(found, at) : bareInData(found, at)
}

const query = /=/uy
const queryValue = /[^\s"'`<>&#;\\]{1,2000}/uy
const ofQuery = (found: Name): Span | undefined => {
  const at = /[?&;]$/u.test(found.before) ? behind(query, found.text, found.end) : undefined
  return at === undefined ? undefined : bare(found, at, taken(queryValue, found.text, at))
}

const flag = /=|["'`],\s{0,40}| |\s{1,40}- |\s{0,4}\\\n\s{0,40}|\n\s{1,40}(?=["'])/uy
const flagValue = /[^\s"'`,\])}]{1,2000}/uy
/** Of a sentence or of a usage. */
const saidOfFlag =
  /^(?:-|[A-Z_]{1,80}$|[A-Z][a-z]{1,40}$|(?:a|an|and|as|at|by|can|for|from|if|in|is|it|of|on|or|the|to|when|with|flag|option|value)$)/u
const ofFlag = (found: Name): Span | undefined => {
  const at = /^--?[a-z]/u.test(found.name) ? behind(flag, found.text, found.end) : undefined
  if (at === undefined) return undefined
  if (behind(quote, found.text, at) !== undefined) return quoted(found, at)
  // Behind a comma only a text: what else stands there is of code.
  const value = found.text.slice(found.end, at).includes(",") ? "" : taken(flagValue, found.text, at)
  return saidOfFlag.test(value) ? undefined : bare(found, at, value)
}

const entry = /\\?["']?[,\s]{0,80}\\?["']?(?:value|default)\\?["']?\s{0,4}[:=]\s{0,4}/iuy
const spaced = /[ \t]{1,8}/uy
const ofEntry = (found: Name): Span | undefined => {
  const { before, end, kind, text } = found
  if (/(?:^|\W)(?:key|name)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?$/iu.test(before)) {
    const at = behind(entry, text, end)
    if (at === undefined) return undefined
    return behind(quote, text, at) !== undefined ? quoted(found, at) : bare(found, at, kind === "code" ? "" : taken(word, text, at))
  }
  const isSpaced = /(?:^|\n)[ \t]{0,20}(?:ENV|ARG|setenv|requirepass|masterauth)[ \t]{1,8}$/u.test(before) ||
    /(?:^|\s)login[ \t]\S{1,40}\s{1,8}$/u.test(before) || /^(?:requirepass|masterauth)$/u.test(found.name)
  const at = isSpaced ? behind(spaced, text, end) : undefined
  return at === undefined ? undefined : behind(quote, text, at) === undefined ? bare(found, at, taken(word, text, at)) : quoted(found, at)
}

const assignment =
  /[?!]?\\?["'`]?[\])]?[ \t]{0,16}(?::[ \t]{0,4}[\w.<>[\]|&*? ]{1,40}?=(?![=>])|:=|\?\?=|\|\|=|\?=|=>|=(?![=~>])|:-|:(?![:=]))[ \t]{0,40}/uy
const newLine = /\r?\n[ \t]{1,40}(?=["'`])/uy
const ofAssignment = (found: Name): Span | undefined => {
  const at = behind(assignment, found.text, found.end)
  if (at === undefined) return undefined
  return valueAt(found, found.kind === "code" ? behind(newLine, found.text, at) ?? at : at)
}

const sqlText = /[ \t]{1,4}(?=')/uy
const fallback = /\\?["'`]?[\])]{0,2}\s{0,40}(?:\?\?|\|\||\?:|or\b)\s{0,40}/uy
const assignedFallback = /[ \t]{0,8}[:=][^\n"'`;,]{0,120}?(?:\?\?|\|\||\bor\b)\s{0,40}/uy
const second = /\\?["'`]\s{0,8},\s{0,40}(?:default(?:_value)?\s?=\s?)?/uy
const byDefault = /["'`]?[\])]{0,2}[^\n"'`;]{0,80}?(?:default|unwrap_or|or_?else)\w{0,8}\s?\((?:\|\w?\|\s?|\(\)\s?=>\s?)?/iuy
const asksFor = /(?:env[\w.!]{0,24}|fetch|config|define|getOrDefault)\(\s{0,8}["'`]$/iu

/** What a program takes where nothing is set. */
const ofFallback = (found: Name): Span | undefined => {
  const patterns = [fallback, assignedFallback, byDefault, ...asksFor.test(found.before) ? [second] : []]
  if (/^password$/iu.test(found.name)) patterns.push(sqlText)
  for (const pattern of patterns) {
    const at = behind(pattern, found.text, found.end)
    const span = at === undefined ? undefined : quoted(found, at)
    if (span !== undefined) return span
  }
  return undefined
}

const spanAfter = (found: Name): Span | undefined =>
  ofQuery(found) ?? ofFlag(found) ?? ofEntry(found) ?? ofAssignment(found) ?? ofFallback(found)

const spansOf = (text: string, kind: Kind): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const judged = new Map<string, boolean>()
  const isSecret = (name: string): boolean => {
    const known = judged.get(name) ?? namesSecret(wordsOf(name))
    judged.set(name, known)
    return known
  }
  let from = 0
  for (const { index } of text.matchAll(hint)) {
    if (index < from) continue
    const found = nameAt(text, kind, index, from)
    const span = isSecret(found.name) ? spanAfter(found) : undefined
    if (span !== undefined) spans.push(span)
    from = span?.end ?? found.end
  }
  return spans
}

/** The same text with signs of the same number for what stands after the name of a secret. */
export const redactNamed = (text: string, path: string): string => {
  let shown = ""
  let from = 0
  for (const { as, end, start } of spansOf(text, kindOf(path))) {
    shown += text.slice(from, start) + text.slice(start, end).replaceAll(/\S/gu, as)
    from = end
  }
  return shown + text.slice(from)
}
