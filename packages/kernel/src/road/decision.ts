/**
 * What a decision is made of. Rules return it, `commit` writes it: rows, ledger entries, events and
 * timers in one transaction, if its conditions hold. There is no second way to post, emit or schedule.
 */
import type { DateTime, Effect } from "effect"
import type { Columns, Row } from "../database/columns.ts"
import type { ChangeOrigin } from "../parts/actor.ts"

/** A table that the road writes. */
export interface Table {
  readonly name: string
  /** The column that holds the account's id. */
  readonly account: "account_id" | "merchant_id"
  readonly columns: Columns
  /** The columns that no update writes, besides the id, the account's id and `created_at`. An update writes every other column. */
  readonly fixed?: ReadonlyArray<string>
  /** Whether the database keeps each change in the audit log, so that it is to be told who makes it. */
  readonly audited?: true
  /** The columns that the API shows. Of the others, which may be secret, the audit log says only that they changed. */
  readonly shown?: ReadonlyArray<string>
}

/** A resource as it will be. A new row is inserted; version n of another replaces version n - 1 and nothing else. */
export interface Write {
  readonly table: Table
  readonly row: Row
  /** The row is new at a later version, because its commit makes several changes of it. A row at version 1 is always new. */
  readonly isNew?: true
  /** The version that the row replaces, where that is not the one before: its commit makes several changes of it. */
  readonly replaces?: number | undefined
}

/** The version that a row replaces which is not new. */
export const replacedVersion = ({ replaces, row }: Write): number => replaces ?? row.version - 1

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
  /** What a receiver may route by without reading `data`: told of events that the scheduler causes, and of no others. */
  readonly hints?: () => Readonly<Record<string, string>>
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

export type Bucket = "available" | "pending" | "reserved"

/** What a bucket held before the commit that would have left too little in it. Minor units. */
export interface Shortfall {
  readonly currency: string
  readonly bucket: Bucket
  readonly held: number
}

/**
 * A condition: after all entries of this commit the bucket holds at least this.
 * The package that owns the buckets says what a refusal is on the wire.
 */
export interface Requirement<out R = never> {
  readonly currency: string
  readonly bucket: Bucket
  /** Minor units. Zero for what may take all there is. */
  readonly at_least: number
  /** What the caller of a refused commit hears. */
  readonly refusal: (found: Shortfall) => R
}

/** The time that a counter counts. Starts are in UTC of the account's clock; `windowAt` in `counters.ts` makes them. */
export interface Window {
  readonly period: "hour" | "day" | "month"
  readonly start: DateTime.Utc
}

/** A limit that a commit would have passed, and how much was left before it. */
export interface ExceededLimit {
  readonly name: string
  readonly key: string
  readonly window?: Window
  readonly limit: number
  readonly left: number
}

/** A condition: after all moves of this commit, what is spent and reserved is together at most this. */
export interface Limit<out R = never> {
  readonly at_most: number
  /** What the caller of a refused commit hears. */
  readonly refusal: (reached: ExceededLimit) => R
}

/**
 * What a commit does to a counter of its account. A reservation is added as `reserved`; spending it moves
 * it over, letting go of it takes it away, each in the window in which it was made.
 */
export interface CounterMove<out R = never> {
  /** What is counted, such as `agent_budget`. */
  readonly name: string
  /** The owner of the counter within the account: the id of a key, the name of a tool. */
  readonly key: string
  /** Absent: it counts for life. */
  readonly window?: Window
  /** Whole units, negative to give back. Neither number of a counter falls below zero. */
  readonly add: { readonly spent: number; readonly reserved: number }
  /** Absent where nothing may refuse, as when room is given back. */
  readonly limit?: Limit<R>
}

/**
 * What a commit writes with the next number of its account. The numbers of an account have no gap: one is given when the commit is
 * written, and a commit that is refused has taken none. `with` is called once for each try, and each call may be given another number.
 */
export interface NumberedWrite {
  /** The row that bears the number: of one row only one version is written at a time. */
  readonly row_id: string
  readonly with: (number: number) => Required<Pick<Commit, "writes" | "events">>
}

/** Which commit is followed, for those who follow it. */
export type FollowedCommit = Pick<Commit, "account_id" | "at" | "cause">

/** What the commit that is followed writes besides its own. */
export type Addition<R = never> = Partial<
  Pick<Commit<R>, "writes" | "entries" | "events" | "set" | "clear" | "requires" | "counters" | "numbered" | "moments">
>

/** Looks at what happens, and refuses it or adds to it. */
export type Follower<in Of, out R> = (of: Of, commit: FollowedCommit) => Effect.Effect<Addition<R>, R>

/** A part's interest in a moment: `follow` in `follow-ups.ts` makes it. */
export interface FollowUp<in Of = never, out R = unknown> {
  /** Which moment. */
  readonly moment: symbol
  readonly follower: Follower<Of, R>
}

/** Something that happens in a commit, which parts above may follow. */
export interface CommitMoment<out R = never> {
  readonly moment: symbol
  /** Lets each of these that follows this moment have its say. */
  readonly ask: (followUps: ReadonlyArray<FollowUp>, commit: FollowedCommit) => Effect.Effect<ReadonlyArray<Addition<R>>, R>
}

/** A request that was refused: what it asked for, and what it heard. */
export interface RefusedRequest {
  readonly key: string
  readonly operation: string
  /** The name of the error, and what it says. */
  readonly error: string
  readonly code: string | undefined
  readonly message: string
}

/** Everything one state change writes. `R` is what its conditions and its followers may refuse it with. */
export interface Commit<out R = never> {
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
  /** Whether a timer makes it: the committer says so, where events have hints. */
  readonly scheduled?: boolean
  /** The actor: the committer fills this in, where the commit writes an audited table or is a person's. */
  readonly actor?: ChangeOrigin
  readonly requires?: ReadonlyArray<Requirement<R>>
  readonly counters?: ReadonlyArray<CounterMove<R>>
  readonly numbered?: ReadonlyArray<NumberedWrite>
  readonly moments?: ReadonlyArray<CommitMoment<R>>
  /** The commit does nothing but tell the log of this. */
  readonly refused?: RefusedRequest
}
