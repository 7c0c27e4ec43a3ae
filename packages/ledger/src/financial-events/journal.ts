/**
 * How the entries of commits become rows of `financial_events`: numbered without gaps, each hashed with the
 * one before, and summed in the balances. The commit road calls this for each batch that it writes.
 */
import { insertInto, type StatementRow } from "@svc/kernel/road/clause"
import type { Commit } from "@svc/kernel/road/decision"
import { Journal } from "@svc/kernel/road/sink"
import type { AccountHead, Sink, SinkBatch } from "@svc/kernel/road/sink"
import { makeId } from "@svc/kernel/values/ids"
import { Layer } from "effect"
import { balances } from "../balances/tally.ts"
import { eventHash, HASH_VERSION } from "./chain.ts"

const ENTRIES = insertInto("financial_events", {
  id: "text",
  merchant_id: "text",
  sequence_id: "int8",
  event_type: "text",
  direction: "text",
  amount: "int8",
  currency: "text",
  delta_available: "int8",
  delta_pending: "int8",
  delta_reserved: "int8",
  counter_account: "text",
  counter_delta: "int8",
  idempotency_key: "text",
  ordinal: "int8",
  resource_type: "text",
  resource_id: "text",
  hash_version: "int8",
  previous_hash: "text",
  event_hash: "text",
  reconciliation_status: "text",
  created_at: "timestamptz"
})

/** Lays the entries of a commit behind the end of its account's chain, and says where the chain ends then. */
const addEntries = (rows: Array<StatementRow>, commit: Commit<unknown>, at: string, head: AccountHead): AccountHead => {
  let sequence_id = Number(head["ledger_seq"])
  let previous_hash = String(head["ledger_hash"])
  const ordinals = new Map<string, number>()
  for (const entry of commit.entries) {
    const ordinal = ordinals.get(entry.event_type) ?? 0
    ordinals.set(entry.event_type, ordinal + 1)
    const { counter_account, counter_delta, ...hashed } = entry
    const event = {
      ...hashed,
      id: makeId("fe", commit.at.epochMilliseconds),
      merchant_id: commit.account_id,
      sequence_id: ++sequence_id,
      idempotency_key: commit.cause,
      previous_hash,
      created_at: at
    }
    previous_hash = eventHash(event)
    rows.push({
      ...event,
      counter_account,
      counter_delta,
      ordinal,
      hash_version: HASH_VERSION,
      event_hash: previous_hash,
      reconciliation_status: "pending"
    })
  }
  return { ...head, ledger_seq: sequence_id, ledger_hash: previous_hash }
}

const begin = (): SinkBatch => {
  const rows: Array<StatementRow> = []
  return {
    add: (commit, at, head) => commit.entries.length === 0 ? head : addEntries(rows, commit, at, head),
    filled: () => [[ENTRIES, rows]]
  }
}

export const journal: Sink = {
  head: { ledger_seq: "int8", ledger_hash: "text" },
  begin,
  tally: balances,
  violated: (constraint) => {
    if (constraint.startsWith("balance_accounts")) return "head"
    if (!constraint.startsWith("financial_events")) return undefined
    // The ledger takes each cause once, as the keys do, and which of the two Postgres finds first is its choice.
    return constraint.includes("idempotency_key") ? "key" : "head"
  },
  written: () => {}
}

/** The ledger, for the commit road to write to. */
export const layer = Layer.succeed(Journal, journal)
