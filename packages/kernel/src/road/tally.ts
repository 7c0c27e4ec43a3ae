/**
 * Numbers in rows that commits move under conditions: balances, counters. The commits of a batch take turns
 * at a row, in order; the statement sees the row once. So their moves are added up, and each condition is
 * turned into a floor that the row's numbers must not be below *before* the batch:
 *
 *     before + (moves up to and with this commit) >= at_least
 *     before >= at_least - (moves up to and with this commit)
 *
 * and of several floors the highest counts. One comparison a number in the statement's WHERE thus checks
 * every commit after every commit before it, and against the row as it is when it is written. Refused, the
 * statement tells what the rows held, and `judge` finds in memory who may be written: see `committer.ts`.
 */
import type { Columns } from "../database/columns.ts"
import type { StatementRow } from "./clause.ts"
import type { Commit } from "./decision.ts"

export type TallyNumbers = Readonly<Record<string, number>>

/** What one of a row's numbers must be at least, after the commit. */
export interface TallyFloor<out R> {
  readonly number: string
  readonly at_least: number
  /** What the caller hears, by what the numbers were before the commit. Absent where only a defect gets there. */
  readonly refusal?: (held: TallyNumbers) => R
}

/** What a commit does at one row. */
export interface TallyChange<out R> {
  /** The row's key columns, `account_id` aside. */
  readonly key: StatementRow
  /** The same as text. */
  readonly id: string
  readonly moves: TallyNumbers
  readonly floors: ReadonlyArray<TallyFloor<R>>
}

/** A table of such rows. It has the columns `account_id` and `updated_at` besides those named here. */
export interface Tally {
  readonly table: string
  /** The key, `account_id` aside. */
  readonly key: Columns
  readonly numbers: ReadonlyArray<string>
  /** Numbers that are computed from the others and bear floors only: SQL on the row `t`. */
  readonly computed: Readonly<Record<string, string>>
  /** Columns that a row has from the beginning and keeps. */
  readonly fixed: { readonly columns: Columns; readonly make: (millis: number) => StatementRow }
  /** What a commit does, row by row. */
  readonly turns: <R>(commit: Commit<R>) => ReadonlyArray<TallyChange<R>>
}

/** A row over a whole batch. */
export interface BatchRow {
  readonly fields: StatementRow
  readonly moves: Record<string, number>
  readonly floors: Record<string, number>
  at: string
}

/** What a batch does to the rows of a table, by id. */
export interface BatchChanges {
  readonly rows: Map<string, BatchRow>
  hasFloors: boolean
  /** Some of the rows may not be there yet. */
  hasNew: boolean
}

const idOf = (tally: Tally, account_id: string, turn: TallyChange<unknown>): string => `${tally.table}/${account_id}/${turn.id}`

const raise = (into: Record<string, number>, name: string, to: number) => {
  into[name] = Math.max(into[name] ?? Number.MIN_SAFE_INTEGER, to)
}

/** Adds a commit's turns, behind those of the commits before it. `known` are rows that are there. */
export const addTurns = (tally: Tally, into: BatchChanges, commit: Commit<unknown>, at: string, known: ReadonlySet<string>): void => {
  const turns = tally.turns(commit)
  for (const turn of turns) {
    const id = idOf(tally, commit.account_id, turn)
    let row = into.rows.get(id)
    if (row === undefined) {
      const fields = { account_id: commit.account_id, ...turn.key, ...tally.fixed.make(commit.at.epochMilliseconds) }
      row = { fields, moves: {}, floors: {}, at }
      into.rows.set(id, row)
      into.hasNew ||= !known.has(id)
    }
    row.at = at
    for (const name in turn.moves) row.moves[name] = (row.moves[name] ?? 0) + (turn.moves[name] ?? 0)
  }
  // Conditions hold after all that the commit does, so its moves come first.
  for (const turn of turns) {
    const row = turn.floors.length === 0 ? undefined : into.rows.get(idOf(tally, commit.account_id, turn))
    if (row === undefined) continue
    into.hasFloors = true
    for (const { at_least, number } of turn.floors) raise(row.floors, number, at_least - (row.moves[number] ?? 0))
  }
}

/** The condition of a commit that does not hold, and what the row's numbers were before it. */
export interface UnmetFloor {
  readonly tally: Tally
  readonly turn: number
  readonly floor: number
  readonly held: TallyNumbers
}

const plus = (numbers: TallyNumbers, moves: TallyNumbers): TallyNumbers => {
  const sum: Record<string, number> = { ...numbers }
  for (const name in moves) sum[name] = (sum[name] ?? 0) + (moves[name] ?? 0)
  return sum
}

/**
 * Which of the commits could be written one after the other, given what the rows hold: for each its unmet
 * condition, or nothing. A refused one leaves the numbers to those behind it.
 */
export const judge = (
  tally: Tally,
  commits: ReadonlyArray<Commit<unknown>>,
  held: ReadonlyMap<string, TallyNumbers>
): ReadonlyArray<UnmetFloor | undefined> => {
  const standing = new Map(held)
  return commits.map((commit) => {
    const turns = tally.turns(commit)
    const after = new Map<string, TallyNumbers>()
    for (const turn of turns) {
      const id = idOf(tally, commit.account_id, turn)
      after.set(id, plus(after.get(id) ?? standing.get(id) ?? {}, turn.moves))
    }
    for (const [n, turn] of turns.entries()) {
      const id = idOf(tally, commit.account_id, turn)
      const floor = turn.floors.findIndex(({ at_least, number }) => (after.get(id)?.[number] ?? 0) < at_least)
      if (floor >= 0) return { tally, turn: n, floor, held: standing.get(id) ?? {} }
    }
    for (const [id, numbers] of after) standing.set(id, numbers)
    return undefined
  })
}

/** What the caller hears of the unmet condition of its commit; nothing where only a defect gets there. */
export const refusalOf = <R>(commit: Commit<R>, { floor, held, tally, turn }: UnmetFloor): R | undefined =>
  tally.turns(commit)[turn]?.floors[floor]?.refusal?.(held)
