/**
 * Turns commits into the parameters of one statement: allots sequence numbers and hashes from the
 * chain heads, and sums balance movements.
 */
import { DateTime } from "effect"
import { CURRENT_API_VERSION } from "../api-version.ts"
import { makeId } from "../ids.ts"
import { eventHash, HASH_VERSION } from "./chain.ts"
import type { Commit, Row, Table } from "./decision.ts"

/** Where an account's ledger chain and event log stand. */
export interface Head {
  readonly ledger_seq: number
  readonly ledger_hash: string
  readonly event_seq: number
}

export interface TableRows {
  readonly table: Table
  readonly rows: Array<Row>
}

/** A row of the statement, by column. */
export type Fields = Readonly<Record<string, unknown>>

/** The rows of one statement, by destination. */
export interface Batch {
  readonly heads: Map<string, { readonly from: Head; to: Head }>
  readonly inserts: Map<string, TableRows>
  readonly updates: Map<string, TableRows>
  readonly keysFirst: Array<Fields>
  readonly keysFinish: Array<Fields>
  readonly entries: Array<Fields>
  readonly balances: Map<string, { account_id: string; currency: string; available: number; pending: number; reserved: number; at: string }>
  readonly events: Array<Fields>
  readonly timersSet: Array<Fields>
  readonly timersClear: Array<Fields>
}

const emptyBatch = (): Batch => ({
  heads: new Map(),
  inserts: new Map(),
  updates: new Map(),
  keysFirst: [],
  keysFinish: [],
  entries: [],
  balances: new Map(),
  events: [],
  timersSet: [],
  timersClear: []
})

const addRow = (into: Map<string, TableRows>, table: Table, row: Row) => {
  const known = into.get(table.name)
  if (known === undefined) into.set(table.name, { table, rows: [row] })
  else known.rows.push(row)
}

const addEntries = (batch: Batch, commit: Commit, at: string, millis: number, head: Head): Head => {
  let { ledger_hash, ledger_seq } = head
  const ordinals = new Map<string, number>()
  for (const entry of commit.entries) {
    const ordinal = ordinals.get(entry.event_type) ?? 0
    ordinals.set(entry.event_type, ordinal + 1)
    const { counter_account, counter_delta, ...hashed } = entry
    const event = {
      ...hashed,
      id: makeId("fe", millis),
      merchant_id: commit.account_id,
      sequence_id: ++ledger_seq,
      idempotency_key: commit.cause,
      previous_hash: ledger_hash,
      created_at: at
    }
    ledger_hash = eventHash(event)
    batch.entries.push({ ...event, counter_account, counter_delta, ordinal, hash_version: HASH_VERSION, event_hash: ledger_hash, reconciliation_status: "pending" })
    addBalance(batch, commit.account_id, entry, at)
  }
  return { ledger_seq, ledger_hash, event_seq: head.event_seq }
}

const addBalance = (batch: Batch, account_id: string, entry: Commit["entries"][number], at: string) => {
  if (entry.delta_available === 0 && entry.delta_pending === 0 && entry.delta_reserved === 0) return
  const id = `${account_id}/${entry.currency}`
  const known = batch.balances.get(id)
  if (known === undefined) {
    batch.balances.set(id, {
      account_id,
      currency: entry.currency,
      available: entry.delta_available,
      pending: entry.delta_pending,
      reserved: entry.delta_reserved,
      at
    })
  } else {
    known.available += entry.delta_available
    known.pending += entry.delta_pending
    known.reserved += entry.delta_reserved
    known.at = at
  }
}

const addEvents = (batch: Batch, commit: Commit, at: string, millis: number, head: Head): Head => {
  let { event_seq } = head
  for (const event of commit.events) {
    batch.events.push({
      ...event,
      account_id: commit.account_id,
      seq: ++event_seq,
      id: makeId("evt", millis),
      delivery_id: makeId("whq", millis),
      api_version: CURRENT_API_VERSION,
      created_at: at
    })
  }
  return { ...head, event_seq }
}

const addKey = (batch: Batch, commit: Commit, at: string) => {
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

/** Lays the commits out in order, each account's chain continuing from `heads`. */
export const layOut = (commits: ReadonlyArray<Commit>, heads: ReadonlyMap<string, Head>): Batch => {
  const batch = emptyBatch()
  for (const commit of commits) {
    const at = DateTime.formatIso(commit.at)
    const millis = commit.at.epochMilliseconds
    let slot = batch.heads.get(commit.account_id)
    if (slot === undefined) {
      const from = heads.get(commit.account_id)
      if (from === undefined) throw new Error(`no chain head loaded for ${commit.account_id}`)
      slot = { from, to: from }
      batch.heads.set(commit.account_id, slot)
    }
    slot.to = addEvents(batch, commit, at, millis, addEntries(batch, commit, at, millis, slot.to))
    for (const { row, table } of commit.writes) addRow(row.version === 1 ? batch.inserts : batch.updates, table, row)
    for (const timer of commit.set) {
      batch.timersSet.push({ account_id: commit.account_id, kind: timer.kind, resource_id: timer.resource_id, due_at: DateTime.formatIso(timer.due_at) })
    }
    for (const timer of commit.clear) batch.timersClear.push({ account_id: commit.account_id, kind: timer.kind, resource_id: timer.resource_id })
    addKey(batch, commit, at)
  }
  return batch
}
