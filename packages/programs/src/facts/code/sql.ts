/** Statements of SQL that stand in strings. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Source } from "./language.ts"

/** Quotes, a margin, then a statement: a first word alone would be English. */
const STATEMENTS: ReadonlyArray<RegExp> = [
  /^(?:SELECT|WITH)\s(?=[^]{0,4000}?\b(?:FROM|SELECT|AS)\b)/u,
  /^INSERT\s+(?:OR\s+\w+\s+)?INTO\s/u,
  /^UPDATE\s+[^\s]+\s+(?:AS\s+\w+\s+)?SET\s/u,
  /^DELETE\s+FROM\s/u,
  /^CREATE\s+(?:\w+\s+){0,3}(?:TABLE|INDEX|VIEW|FUNCTION|TRIGGER|TYPE|SCHEMA|EXTENSION)\s/u,
  /^ALTER\s+(?:TABLE|TYPE)\s/u,
  /^DROP\s+(?:TABLE|INDEX|VIEW)\s/u,
  /^TRUNCATE\s+\w/u,
  /^MERGE\s+INTO\s/u
]
const STATEMENT = new RegExp(STATEMENTS.map(({ source }) => source).join("|"), "u")
const ANY_CASE = new RegExp(STATEMENT.source, "iu")
/** A quote, a margin, and a first word of a statement. */
const START = /("""|'''|["'`])\s{0,200}(?=(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|TRUNCATE|MERGE)\s)/giu
/** What takes SQL: there it may be written in small letters. */
const TAKES_SQL = /(?:\bsql|\b(?:query|execute|exec|prepare|raw|all|get|run|unsafe)\s{0,3}\(\s{0,40})$/iu

const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE(?:\s{1,9}IF\s{1,9}(?:NOT\s{1,9})?EXISTS)?)\s+(?:ONLY\s{1,9})?["`[]?([a-z_][\w.]*)/giu
/** A function that gives rows, such as `unnest(…)`, stands where a table may. */
const FUNCTION = /\b(?:FROM|JOIN)\s+([a-z_][\w.]*)\(/giu
/** A name that the statement gives to a query: `WITH due AS (…)`, `WITH RECURSIVE tree(id) AS (…)`. */
const NAMED = /(?:\bWITH\s{1,9}(?:RECURSIVE\s{1,9})?|,\s{0,9})(\w{1,60})(?:\s?\([\w\s,]{0,200}\))?\s{1,9}AS\s[A-Z\s]{0,30}\(/giu
const WRITTEN =
  /\b(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE)\s+(?:(?:TABLE|ONLY)\s{1,9})?["`[]?([a-z_][\w.]*)/giu
/** What may stand behind the words of a table, and is none: `FOR UPDATE OF`, `DO UPDATE SET`. */
const NO_TABLE: ReadonlySet<string> = new Set(["select", "set", "lateral", "values", "if", "only", "of", "skip", "nowait"])

const namesIn = (statement: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(statement.matchAll(pattern), ([, name = ""]) => clip(name))

/** The tables of a statement, and those that it writes. */
const tablesOf = (statement: string) => {
  const others = new Set([...namesIn(statement, FUNCTION), ...namesIn(statement, NAMED)])
  const of = (pattern: RegExp): ReadonlyArray<string> =>
    Array.from(new Set(namesIn(statement, pattern).filter((name) => !NO_TABLE.has(name.toLowerCase()) && !others.has(name))))
  return { tables: of(TABLE), writes: of(WRITTEN) }
}

const MOST = 8000

/** Where the quote closes again, in what is looked at of a text. */
const closing = (text: string, quote: string): number => {
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) if (text.charAt(at - 1) !== "\\") return at
  return text.length
}

export const sql = (source: Source): ReadonlyArray<AnyFact> =>
  Array.from(source.text.matchAll(START)).flatMap(({ 0: head, 1: quote = "", index }) => {
    const { text } = source
    const from = index + head.length
    const ahead = text.slice(from, from + MOST + 1)
    const end = from + closing(ahead, quote)
    const statement = text.slice(from, end)
    const pattern = TAKES_SQL.test(text.slice(Math.max(0, index - 60), index)) ? ANY_CASE : STATEMENT
    if (statement.length > MOST || !pattern.test(statement) || source.commented(index)) return []
    const [word = ""] = statement.split(/\s/u, 1)
    const span = source.span({ start: index, end: end + quote.length })
    return [fact("sql", word.toUpperCase(), { ...tablesOf(statement), text: clip(statement, 500) }, span)]
  })
