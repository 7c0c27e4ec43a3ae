/** Code: what was left behind while it was written, and errors that are dropped. */
import { eachOf, firstOf, type HygieneFile, isCode, isJavaScript } from "../files.ts"
import type { Finding, RuleId } from "../rule-table.ts"

interface Pattern {
  readonly rule: RuleId
  readonly languages: RegExp
  readonly pattern: RegExp
}

const JAVASCRIPT = /^(?:TypeScript|JavaScript)$/u

/** Everywhere in code; comments and strings were blanked before. */
const ANYWHERE: ReadonlyArray<Pattern> = [
  { rule: "debugger", languages: JAVASCRIPT, pattern: /(?<![\w$.])debugger(?=\s{0,9}(?:;|\n|\}|$))/gu },
  { rule: "debugger", languages: /^Python$/u, pattern: /^[ \t]*(?:breakpoint\(\)|(?:i?pdb|pudb)\.set_trace\(\))/gmu },
  { rule: "debugger", languages: /^Ruby$/u, pattern: /^[ \t]*binding\.(?:pry|irb)\b/gmu },
  {
    rule: "empty-catch",
    languages: /^(?:TypeScript|JavaScript|Java|C#|Kotlin|Dart)$/u,
    pattern: /\bcatch\s{0,9}(?:\([^()\n]{0,200}\)\s{0,9})?\{\s{0,200}\}/gu
  },
  { rule: "empty-catch", languages: /^Python$/u, pattern: /^[ \t]*except\b[^\n:]{0,200}:[ \t]*(?:\r?\n[ \t]*)?pass[ \t]*\r?$/gmu }
]

const IN_TESTS: ReadonlyArray<Pattern> = [
  {
    rule: "focused-test",
    languages: JAVASCRIPT,
    pattern: /(?<![\w$.])(?:(?:describe|it|test|suite|context)\.only|fdescribe|fit)(?=[(.`])/gu
  },
  {
    rule: "skipped-test",
    languages: JAVASCRIPT,
    pattern: /(?<![\w$.])(?:(?:describe|it|test|suite|context)\.skip|xdescribe|xit|xtest)(?=[(.`])/gu
  },
  { rule: "skipped-test", languages: /^Python$/u, pattern: /^[ \t]*@(?:pytest\.mark\.skip|unittest\.skip)\b/gmu },
  { rule: "skipped-test", languages: /^Go$/u, pattern: /\bt\.Skip(?:Now|f)?\(/gu },
  { rule: "skipped-test", languages: /^Java$/u, pattern: /^[ \t]*@(?:Disabled|Ignore)\b/gmu },
  { rule: "skipped-test", languages: /^Rust$/u, pattern: /^[ \t]*#\[ignore\b/gmu }
]

/** Programs that talk to a terminal, and what is run by hand. */
const TALKS = /(?:^|\/)(?:bin|cli|scripts?|tools?|examples?|benchmarks?|bench)\/|(?:^|\/)cli\.[^/]+$/u
const PRINTS = /(?<![\w$.])console\.(?:log|debug|trace)(?=\()/gu

export const codeChecks = (file: HygieneFile): ReadonlyArray<Finding> => {
  if (!isCode(file)) return []
  const blanked = { path: file.path, text: file.code }
  const patterns = [...ANYWHERE, ...(file.role === "test" ? IN_TESTS : [])]
  const isQuiet = isJavaScript(file) && file.role === "source" && !TALKS.test(file.path) && !file.text.startsWith("#!")
  return [
    ...patterns.flatMap(({ languages, pattern, rule }) => languages.test(file.language) ? eachOf(rule, blanked, pattern) : []),
    ...(isQuiet ? firstOf("console-log", blanked, PRINTS) : [])
  ]
}

/** A mark of open work behind the sign of a comment. */
const OPEN = /(?:\/\/|#|\*|<!--|--)[^\n]{0,80}?\b(?:TODO|FIXME|HACK|XXX)\b/gu

/** Comments of work to be done, over all files: one finding where there are too many. */
export const todoDebt = (files: ReadonlyArray<HygieneFile>, threshold: number) => {
  const places = files.filter(isCode).flatMap((file) => eachOf("todo-debt", file, OPEN))
  const [first] = places
  const findings: ReadonlyArray<Finding> = first === undefined || places.length <= threshold ? [] : [{ ...first, times: places.length }]
  return { todos: places.length, findings }
}
