/**
 * SQL obeys the floors as imports do. The package whose migrations make a table owns it. Packages of higher floors may read the
 * table; only the owner writes its rows.
 */
import { FLOORS, type Place } from "./rules.ts"
import type { Finding } from "./source.ts"

export interface TableUse {
  readonly table: string
  readonly line: number
  readonly writes: boolean
}

const NAME = /[a-z][a-z_0-9]*/u.source
/** SQL keywords are written in capitals, so that English sentences do not match. */
const CREATED = new RegExp(`\\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(${NAME})`, "gu")
const WRITTEN = new RegExp(`\\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|MERGE INTO) (?:ONLY )?(${NAME})`, "gu")
const READ = new RegExp(`(?:\\b(?:FROM|JOIN|LATERAL|ONLY|TABLE|REFERENCES|USING|ON|COPY)\\s+|NULL::)(${NAME})`, "gu")
/** The second and later tables of `FROM a x, b y`. */
const LISTED = new RegExp(`\\bFROM\\s+${NAME}(?:\\s+(?:AS )?${NAME})?((?:\\s*,\\s*${NAME}(?:\\s+(?:AS )?${NAME})?)+)`, "gu")

const matches = (pattern: RegExp, text: string): ReadonlyArray<string> => Array.from(text.matchAll(pattern), ([, name = ""]) => name)

export const isMigration = ({ path }: Place): boolean => /(?:^|\/)migrations(?:\.ts$|\/)/u.test(path)

/** The tables that the texts of a file of migrations make. */
export const tablesMade = (texts: ReadonlyArray<Finding>): ReadonlyArray<string> => texts.flatMap(({ text }) => matches(CREATED, text))

/** The tables that texts of a program use, among those that are known. `named` are values of a property `table`, such as that of a list. */
export const tableUses = (
  texts: ReadonlyArray<Finding>,
  named: ReadonlyArray<Finding>,
  isTable: (name: string) => boolean
): ReadonlyArray<TableUse> => {
  const inSql = texts.flatMap(({ line, text }) => {
    const written = matches(WRITTEN, text)
    const listed = matches(LISTED, text).flatMap((list) => list.split(",").map((item) => item.trim().split(/\s+/u)[0] ?? ""))
    return [
      ...written.map((table) => ({ table, line, writes: true })),
      ...[...matches(READ, text), ...listed].map((table) => ({ table, line, writes: false }))
    ]
  })
  return [...inSql, ...named.map(({ line, text }) => ({ table: text, line, writes: false }))].filter(({ table }) => isTable(table))
}

/**
 * Files that write a table of another package, and why. The list only shrinks: a file that needs its entry no more is a problem.
 */
const MAY_WRITE: Readonly<Record<string, readonly [tables: ReadonlyArray<string>, why: string]>> = {
  "reconciliation/reports/repository/comparison.ts": [
    ["financial_events"],
    "sets reconciliation_status, the one column that changes after an event was written"
  ]
}

const entryOf = ({ package: name, path }: Place): ReadonlyArray<string> => MAY_WRITE[`${name}/${path}`]?.[0] ?? []

/** Why a file may not use a table, or undefined when it may. */
export const judgeTable = (from: Place, owner: string, { table, writes }: TableUse): string | undefined => {
  if (from.package === owner) return undefined
  const [here, there] = [FLOORS[from.package] ?? 0, FLOORS[owner] ?? 0]
  const upward = `upward: ${owner} is on floor ${there}, ${from.package} on floor ${here}`
  if (there > here) return `${upward}; let ${owner} contribute what ${from.package} needs to know`
  if (there === here) return `${owner} stands on the same floor (${here}) as ${from.package}`
  const mayWrite = isMigration(from) || entryOf(from).includes(table)
  return writes && !mayWrite ? `only ${owner} writes its rows; call a service of ${owner}` : undefined
}

/** Entries of the list that a file does not need. */
export const unneededTables = (place: Place, uses: ReadonlyArray<TableUse>): ReadonlyArray<string> =>
  entryOf(place).filter((table) => !uses.some((use) => use.writes && use.table === table))
