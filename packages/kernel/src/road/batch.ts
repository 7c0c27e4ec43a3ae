/** Lays commits out as the rows of one statement, each account's head continuing from where it stands. */
import { DateTime } from "effect"
import type { Row } from "../database/columns.ts"
import { type ChangeOrigin, isPerson } from "../parts/actor.ts"
import { auditedRow } from "./audit-clause.ts"
import type { StatementRow } from "./clause.ts"
import { counters } from "./counters.ts"
import { type Commit, replacedVersion, type Table, type Write } from "./decision.ts"
import { numbered } from "./numbers.ts"
import type { AccountHead, Sink, SinkBatch } from "./sink.ts"
import { addTurns } from "./tally.ts"
import type { BatchChanges, Tally } from "./tally.ts"

export interface TableRows {
  readonly table: Table
  /** How many versions a row is behind the one that it replaces; of new rows, 1. */
  readonly changes: number
  readonly rows: Array<Row>
}

/** The rows of one statement, by destination. */
export interface Batch {
  readonly heads: Map<string, { readonly from: AccountHead; to: AccountHead }>
  readonly inserts: Map<string, TableRows>
  readonly updates: Map<string, TableRows>
  readonly keysFirst: Array<StatementRow>
  readonly keysFinish: Array<StatementRow>
  readonly timersSet: Array<StatementRow>
  readonly timersClear: Array<StatementRow>
  /** The actor that changes each row of an audited table. */
  readonly actors: Map<string, ChangeOrigin>
  /** What people change of the other tables. */
  readonly personal: Map<string, { readonly table: Table; readonly rows: Array<StatementRow> }>
  readonly sinks: ReadonlyArray<SinkBatch>
  readonly tallies: ReadonlyMap<Tally, BatchChanges>
}

/** The tallies of the road, its own and those of its sinks, in the order in which they are checked. */
export const talliesOf = (
  sinks: ReadonlyArray<Sink>
): ReadonlyArray<Tally> => [...sinks.flatMap(({ tally }) => tally === undefined ? [] : [tally]), counters]

const emptyBatch = (sinks: ReadonlyArray<Sink>): Batch => ({
  heads: new Map(),
  inserts: new Map(),
  updates: new Map(),
  keysFirst: [],
  keysFinish: [],
  timersSet: [],
  timersClear: [],
  actors: new Map(),
  personal: new Map(),
  sinks: sinks.map((sink) => sink.begin()),
  tallies: new Map(talliesOf(sinks).map((tally) => [tally, { rows: new Map(), hasFloors: false, hasNew: false }]))
})

const addRow = (into: Map<string, TableRows>, { row, table }: Write, changes: number) => {
  const key = changes === 1 ? table.name : `${table.name} ${changes}`
  const tableRows = into.get(key)
  if (tableRows === undefined) into.set(key, { table, changes, rows: [row] })
  else tableRows.rows.push(row)
}

/** Notes who changes the row, where somebody will ask: the trigger of an audited table, or the audit log of people. */
const addActor = ({ actors, personal }: Batch, write: Write, isNew: boolean, actor: ChangeOrigin) => {
  const { row, table } = write
  if (table.audited === true) actors.set(row.id, actor)
  else if (isPerson(actor)) {
    const rows = personal.get(table.name)?.rows ?? []
    rows.push(auditedRow(write, isNew, actor))
    personal.set(table.name, { table, rows })
  }
}

const addKey = (batch: Batch, commit: Commit<unknown>, at: string) => {
  const write = commit.key
  if (write === undefined) return
  const row = {
    key: write.key,
    account_id: commit.account_id,
    operation: write.operation,
    fingerprint: write.fingerprint,
    resource_type: write.resource_type,
    resource_id: write.resource_id,
    status: write.reply === undefined ? "in_progress" : "done",
    response_status: write.reply?.status ?? null,
    response_body: write.reply?.body ?? null,
    lease_until: write.lease_until === undefined ? null : DateTime.formatIso(write.lease_until),
    first_seen_at: at
  }
  if (write.mode === "first") batch.keysFirst.push(row)
  else batch.keysFinish.push(row)
}

/** What a process remembers of the database. */
export interface Memory {
  /** By account. */
  readonly heads: ReadonlyMap<string, AccountHead>
  /** Rows of tallies that are there. */
  readonly rows: ReadonlySet<string>
}

/** Lays the commits out in order, each account's head continuing from where it stands. */
export const layOut = (commits: ReadonlyArray<Commit<unknown>>, { heads, rows }: Memory, sinks: ReadonlyArray<Sink>): Batch => {
  const batch = emptyBatch(sinks)
  for (const unnumbered of commits) {
    const at = DateTime.formatIso(unnumbered.at)
    let slot = batch.heads.get(unnumbered.account_id)
    if (slot === undefined) {
      const from = heads.get(unnumbered.account_id)
      if (from === undefined) throw new Error(`${unnumbered.account_id} has no head`)
      slot = { from, to: from }
      batch.heads.set(unnumbered.account_id, slot)
    }
    const [commit, behind] = numbered(unnumbered, slot.to)
    let head: AccountHead = { ...behind, commit_seq: behind.commit_seq + 1 }
    for (const laying of batch.sinks) head = laying.add(commit, at, head)
    slot.to = head
    for (const [tally, moves] of batch.tallies) addTurns(tally, moves, commit, at, rows)
    for (const write of commit.writes) {
      const isNew = write.row.version === 1 || write.isNew === true
      if (isNew) addRow(batch.inserts, write, 1)
      else addRow(batch.updates, write, write.row.version - replacedVersion(write))
      if (commit.actor !== undefined) addActor(batch, write, isNew, commit.actor)
    }
    for (const timer of commit.set) {
      batch.timersSet.push({
        account_id: commit.account_id,
        kind: timer.kind,
        resource_id: timer.resource_id,
        due_at: DateTime.formatIso(timer.due_at)
      })
    }
    for (const timer of commit.clear) {
      batch.timersClear.push({ account_id: commit.account_id, kind: timer.kind, resource_id: timer.resource_id })
    }
    addKey(batch, commit, at)
  }
  return batch
}
