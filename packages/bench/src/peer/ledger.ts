/** The books within one transaction: the chain under its head's lock, balances, events with their deliveries, timers. */
import { makeId } from "@svc/kernel/values/ids"
import { eventHash } from "@svc/ledger/financial-events/chain"
import type { PoolClient } from "pg"
import { prepared, run } from "./database.ts"
import type { Intent } from "./intent.ts"

interface Head {
  readonly ledger_seq: number
  readonly ledger_hash: string
  readonly event_seq: number
}

export interface Entry {
  readonly event_type: string
  readonly direction: string
  readonly amount: number
  readonly delta_pending: number
  readonly counter_account: string
  readonly counter_delta: number
}

const lockHead = prepared("lock_head", "SELECT ledger_seq, ledger_hash, event_seq FROM account_heads WHERE account_id = $1 FOR UPDATE")
const moveHead = prepared("move_head", "UPDATE account_heads SET ledger_seq = $2, ledger_hash = $3, event_seq = $4 WHERE account_id = $1")
const nextEvent = prepared("next_event", "UPDATE account_heads SET event_seq = event_seq + 1 WHERE account_id = $1 RETURNING event_seq")

const ENTRY_COLUMNS = 21
const insertEntries = (rows: number) =>
  prepared(
    `insert_entries_${rows}`,
    `INSERT INTO financial_events (id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending,
       delta_reserved, counter_account, counter_delta, idempotency_key, ordinal, resource_type, resource_id, hash_version, previous_hash,
       event_hash, reconciliation_status, created_at) VALUES ${
      Array.from({ length: rows }, (_, row) =>
        `(${Array.from({ length: ENTRY_COLUMNS }, (_, column) => `$${row * ENTRY_COLUMNS + column + 1}`).join(", ")})`).join(", ")
    }`
  )
const entriesByCount = [insertEntries(1), insertEntries(2), insertEntries(3)] as const

const moveBalance = prepared(
  "move_balance",
  "UPDATE balance_accounts SET pending = pending + $3, updated_at = $4 WHERE account_id = $1 AND currency = $2"
)

const insertEvent = prepared(
  "insert_event",
  `INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, data, created_at)
   VALUES ($1, $2, $3, $4, 'payment_intent', $5, $6, '2026-11-01', $7, $8)`
)
const insertDelivery = prepared(
  "insert_delivery",
  `INSERT INTO webhook_deliveries (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at, created_at, updated_at)
   SELECT $1, $2, $3, $4, $5, $6, 'pending', 0, $7, $7, $7 FROM webhook_endpoints e WHERE e.account_id = $1`
)

/** Writes the event for the log and queues its delivery where there is an endpoint. */
const emit = async (client: PoolClient, intent: Intent, type: string, seq: number, body: string): Promise<void> => {
  const at = intent.updated_at
  const id = makeId("evt", Date.parse(at))
  await run(client, insertEvent, [intent.merchant_id, seq, id, type, intent.id, intent.version, body, at])
  await run(client, insertDelivery, [intent.merchant_id, makeId("whq", Date.parse(at)), id, seq, type, intent.id, at])
}

/** Emits an event that comes without ledger entries. */
export const emitOnly = async (client: PoolClient, intent: Intent, type: string, body: string): Promise<void> => {
  const [head] = await run<Pick<Head, "event_seq">>(client, nextEvent, [intent.merchant_id])
  await emit(client, intent, type, head?.event_seq ?? 0, body)
}

/** Appends entries to the merchant's chain, moves the balance and emits the event. */
export const post = async (
  client: PoolClient,
  intent: Intent,
  entries: ReadonlyArray<Entry>,
  cause: string,
  type: string,
  body: string
): Promise<void> => {
  const account = intent.merchant_id
  const at = intent.updated_at
  const [head] = await run<Head>(client, lockHead, [account])
  if (head === undefined) throw new Error(`${account} has no chain head`)
  let { ledger_hash, ledger_seq } = head
  const values: Array<unknown> = []
  let pending = 0
  for (const { counter_account, counter_delta, ...entry } of entries) {
    const event = {
      ...entry,
      id: makeId("fe", Date.parse(at)),
      merchant_id: account,
      sequence_id: ++ledger_seq,
      currency: intent.currency,
      delta_available: 0,
      delta_reserved: 0,
      idempotency_key: cause,
      resource_type: "payment_intent",
      resource_id: intent.id,
      previous_hash: ledger_hash,
      created_at: at
    }
    ledger_hash = eventHash(event)
    pending += entry.delta_pending
    values.push(
      event.id,
      account,
      ledger_seq,
      event.event_type,
      event.direction,
      event.amount,
      event.currency,
      0,
      event.delta_pending,
      0,
      counter_account,
      counter_delta,
      cause,
      0,
      event.resource_type,
      intent.id,
      1,
      event.previous_hash,
      ledger_hash,
      "pending",
      at
    )
  }
  const statement = entriesByCount[entries.length - 1]
  if (statement === undefined) throw new Error(`no statement for ${entries.length} entries`)
  await run(client, statement, values)
  if (pending !== 0) await run(client, moveBalance, [account, intent.currency, pending, at])
  await emit(client, intent, type, head.event_seq + 1, body)
  await run(client, moveHead, [account, ledger_seq, ledger_hash, head.event_seq + 1])
}
