/** What commits change without telling anybody: kept beside the events, in the statement that changes it, and shown to nobody. */
import type { Clause, StatementRow } from "@svc/kernel/road/clause"
import { insertInto } from "@svc/kernel/road/clause"
import type { Commit, CounterMove } from "@svc/kernel/road/decision"
import type { AccountHead } from "@svc/kernel/road/sink"
import { iso } from "@svc/kernel/values/time"

export const CHANGES: Clause = insertInto("quiet_changes", {
  account_id: "text",
  kind: "text",
  row_id: "text",
  version: "int8",
  data: "text",
  created_at: "timestamptz"
})

/** What the moves of counters are kept as; their version is the number of the commit. */
export const COUNTERS = "counters"

/** What refused requests are kept as, by their idempotency keys; their version, too, is the number of the commit. */
const REFUSALS = "refusals"

/** A counter's key, as one text. */
export const counterId = (name: string, key: string, period: string, start: string): string => JSON.stringify([name, key, period, start])

const LIFE = { period: "life", start: "1970-01-01T00:00:00.000Z" }
const idOf = ({ key, name, window }: CounterMove<unknown>): string => {
  const { period, start } = window === undefined ? LIFE : { period: window.period, start: iso(window.start) }
  return counterId(name, key, period, start)
}

const counterChanges = (moves: ReadonlyArray<CounterMove<unknown>>): ReadonlyArray<readonly [id: string, data: string]> => {
  const sums = new Map<string, { spent: number; reserved: number }>()
  for (const move of moves) {
    const { reserved, spent } = sums.get(idOf(move)) ?? { spent: 0, reserved: 0 }
    sums.set(idOf(move), { spent: spent + move.add.spent, reserved: reserved + move.add.reserved })
  }
  return Array.from(sums, ([id, sum]) => [id, JSON.stringify(sum)])
}

/** The columns that are kept of a table's rows; undefined for a table that the log does not hold. */
export type LoggedColumns = (table: string) => ReadonlyArray<string> | undefined

/** The changes of a commit that none of its events tells of. */
export const quietChanges = (
  commit: Commit<unknown>,
  at: string,
  { commit_seq }: AccountHead,
  kept: LoggedColumns
): ReadonlyArray<StatementRow> => {
  const of = { account_id: commit.account_id, created_at: at }
  const rows = commit.writes.flatMap(({ row, table }) => {
    const columns = kept(table.name)
    const isTold = commit.events.some(({ resource_id, resource_version }) => resource_id === row.id && resource_version === row.version)
    if (columns === undefined || isTold) return []
    const data = JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]])))
    return [{ ...of, kind: table.name, row_id: row.id, version: row.version, data }]
  })
  if (commit.refused !== undefined) {
    const { key, ...refusal } = commit.refused
    rows.push({ ...of, kind: REFUSALS, row_id: key, version: commit_seq, data: JSON.stringify(refusal) })
  }
  if (commit.counters === undefined || commit.counters.length === 0) return rows
  return [
    ...rows,
    ...counterChanges(commit.counters).map(([row_id, data]) => ({ ...of, kind: COUNTERS, row_id, version: commit_seq, data }))
  ]
}
