/**
 * What a decision is made of. Rules return it, `commit` writes it: rows, ledger entries, events and
 * timers in one transaction. There is no second way to post, emit or schedule.
 */
import type { DateTime } from "effect"
import type { Columns } from "../database/rows.ts"

/** A table that the road writes. */
export interface Table {
  readonly name: string
  /** The column that holds the account's id. */
  readonly account: "account_id" | "merchant_id"
  readonly columns: Columns
  /** The columns that an update may change, `version` among them. */
  readonly changes: ReadonlyArray<string>
}

/** A row as JSON, exactly as its schema encodes it, column names as keys. */
export interface Row {
  readonly id: string
  readonly version: number
  readonly [column: string]: unknown
}

/** A resource as it will be. Version 1 is inserted; version n replaces version n - 1 and nothing else. */
export interface Write {
  readonly table: Table
  readonly row: Row
}

/** One ledger posting before it has its place in the chain. Amounts are minor units. */
export interface Entry {
  readonly event_type: string
  readonly direction: "debit" | "credit"
  readonly amount: number
  readonly currency: string
  readonly delta_available: number
  readonly delta_pending: number
  readonly delta_reserved: number
  /** The platform's leg, which makes the row sum to zero. */
  readonly counter_account: string
  readonly counter_delta: number
  readonly resource_type: string
  readonly resource_id: string
}

/** An event for the log and for webhooks; `data` is the resource as of this event, as JSON text. */
export interface EventDraft {
  readonly type: string
  readonly resource_type: string
  readonly resource_id: string
  readonly resource_version: number
  readonly data: string
}

/** One timer an account, kind and resource: setting it again moves it. */
export interface TimerDraft {
  readonly kind: string
  readonly resource_id: string
  readonly due_at: DateTime.Utc
}

export interface TimerKey {
  readonly kind: string
  readonly resource_id: string
}

/** The answer to a request, stored under its idempotency key and replayed byte for byte. */
export interface StoredReply {
  readonly status: number
  readonly body: string
}

/** What happens to the idempotency key in the same transaction. */
export interface KeyWrite {
  readonly key: string
  readonly operation: string
  readonly fingerprint: string
  readonly resource_type: string
  readonly resource_id: string
  /** `first`: the key is new. `finish`: it was stored in progress before a provider call. */
  readonly mode: "first" | "finish"
  /** Absent while a provider call is still to come. */
  readonly reply?: StoredReply
  /** Until when an unfinished key belongs to the request that wrote it. */
  readonly lease_until?: DateTime.Utc
}

/** Everything one state change writes. */
export interface Commit {
  readonly account_id: string
  readonly at: DateTime.Utc
  /** Recorded on each ledger entry: the caller's key, or the name of what caused the change. */
  readonly cause: string
  readonly writes: ReadonlyArray<Write>
  readonly entries: ReadonlyArray<Entry>
  readonly events: ReadonlyArray<EventDraft>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  readonly key?: KeyWrite
}
