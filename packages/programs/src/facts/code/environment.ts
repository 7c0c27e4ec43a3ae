/** Reads of environment variables, in whatever form a language has. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Range, Source } from "./language.ts"
import { literal } from "./literals.ts"

const NAME = /^[A-Za-z_]\w*$/u

/** Accesses that are no calls; the name is what they capture. */
const ACCESSES: ReadonlyArray<RegExp> = [
  /\b(?:process|Bun|import\.meta)\.env\.([A-Za-z_]\w*)/gu,
  /\b(?:process|Bun|import\.meta)\.env\[["']([A-Za-z_]\w*)["']\]/gu,
  /\b(?:os\.environ|ENV|\$_ENV|\$_SERVER|environment)\[["']([A-Za-z_]\w*)["']\]/gu
]
const DESTRUCTURED = /\{([^{}]{1,500})\}\s{0,9}=\s{0,9}process\.env\b/gu
const SHELL = /\$\{([A-Z_][A-Z0-9_]*)(:?[-?=][^{}\n]{0,200})?\}/gu

/** `??`, `||` or `or`, and what stands behind; an assertion, or an access that fails where the variable is missing. */
const FALLBACK = /^\s{0,9}(?:\?\?=?|\|\||\bor\b)\s*([^\s,;)]{1,120})/u

/** Functions that take the name as their first argument. */
const CALLEES = new RegExp(
  [
    /^(?:getenv|secure_getenv|std::getenv|env|option_env!?)$/u,
    /(?:^|[.:])(?:os\.(?:getenv|Getenv|LookupEnv|environ\.(?:get|pop))|env::var(?:_os)?|System\.getenv)$/u,
    /(?:^|\.)(?:Environment\.GetEnvironmentVariable|Deno\.env\.get|ENV\.fetch|viper\.Get\w*)$/u,
    /(?:^|\.)Config\.(?:string|nonEmptyString|number|integer|int|port|boolean|redacted|url|duration|logLevel|literal|schema)$/u
  ].map(({ source }) => source).join("|"),
  "u"
)

/** Functions that fail where the variable is missing and no other value is given. */
const FAILING = /Config\.|ENV\.fetch$|^env$/u

const rangeOf = (at: number, text: string): Range => ({ start: at, end: at + text.length })

interface Read extends Range {
  readonly name: string
  readonly fallback: string | null
  readonly required: boolean
}

const readFact = (source: Source, { fallback, name, required, ...range }: Read): ReadonlyArray<AnyFact> =>
  NAME.test(name)
    ? [fact("environment", clip(name), { fallback: fallback === null ? null : clip(fallback), required }, source.span(range))]
    : []

const ofAccess = (source: Source, { 0: whole, 1: name = "", index }: RegExpExecArray): ReadonlyArray<AnyFact> => {
  const after = source.text.slice(index + whole.length, index + whole.length + 160)
  const fallback = FALLBACK.exec(after)?.[1] ?? null
  const fails = after.startsWith("!") && !after.startsWith("!=") || whole.startsWith("os.environ[")
  return readFact(source, { ...rangeOf(index, whole), name, fallback, required: fallback === null && fails })
}

const ofDestructuring = (source: Source, { 0: whole, 1: inner = "", index }: RegExpExecArray): ReadonlyArray<AnyFact> =>
  inner.split(",").flatMap((part) => {
    const [names = "", fallback] = part.split("=")
    const name = names.split(":")[0]?.trim() ?? ""
    return readFact(source, { ...rangeOf(index, whole), name, fallback: fallback?.trim() ?? null, required: false })
  })

const ofCall = (source: Source, call: Call): ReadonlyArray<AnyFact> => {
  const after = source.text.slice(call.end, call.end + 160)
  const fallback = call.arguments[1] ?? /^[\s)]*(?:\.unwrap_or\w*\(|,\s*\w*\.?withDefault\()([^()\n]{1,120})/u.exec(after)?.[1] ??
    FALLBACK.exec(after)?.[1] ?? null
  const fails = FAILING.test(call.callee) || /^(?:\.(?:expect|unwrap)\(|\?)/u.test(after)
  const { end, start } = call
  return readFact(source, { start, end, name: literal(call.arguments[0]) ?? "", fallback, required: fallback === null && fails })
}

const ofShell = (source: Source, { 0: whole, 1: name = "", 2: rest, index }: RegExpExecArray): ReadonlyArray<AnyFact> => {
  if (rest === undefined) return []
  const required = rest.includes("?")
  return readFact(source, { ...rangeOf(index, whole), name, fallback: required ? null : rest.replace(/^:?[-=]/u, ""), required })
}

export const environment = (source: Source): ReadonlyArray<AnyFact> => {
  const { callsWith, commented, language, small, text } = source
  const all = (pattern: RegExp) => Array.from(text.matchAll(pattern)).filter(({ index }) => !commented(index))
  if (language === "Shell") return all(SHELL).flatMap((match) => ofShell(source, match))
  return [
    ...(small.includes("env") ? ACCESSES : []).flatMap(all).flatMap((match) => ofAccess(source, match)),
    ...(text.includes("process.env") ? all(DESTRUCTURED) : []).flatMap((match) => ofDestructuring(source, match)),
    ...callsWith("callee", CALLEES).flatMap((call) => ofCall(source, call))
  ]
}
