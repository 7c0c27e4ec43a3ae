/**
 * Checking a ledger without the service that wrote it: recomputes the hash chain, holds every row
 * against its route, and adds the movements up. Pure, so that the service, the command line and the
 * SDK run the same code.
 */
import { eventHash, GENESIS_HASH, HASH_VERSION } from "./chain.ts"
import type { ChainedEvent } from "./chain.ts"
import { followsRoute } from "./routes.ts"

/**
 * Why a ledger does not hold. Of several reasons at one row the first in this order is reported. A row that follows
 * no route of its event type is a `balance_mismatch`: what it says that moved cannot have moved.
 */
export const breakReasons = [
  "gap",
  "prev_mismatch",
  "hash_mismatch",
  "balance_mismatch",
  "head_mismatch",
  "checkpoint_mismatch",
  "state_mismatch"
] as const
export type BreakReason = typeof breakReasons[number]

export interface ChainBreak {
  /**
   * The first sequence id that is wrong. With `gap` it is the one that is missing; with `head_mismatch`
   * the first that is missing from the chain, or that the head does not know; with balances that differ
   * from the sums it is the last of the chain. With `checkpoint_mismatch` it is the last that the checkpoint is about,
   * and with `state_mismatch` the last event of the resource, or of the chain when it has none.
   */
  readonly sequence_id: number
  readonly reason: BreakReason
  /** The resource whose amounts are not those of its events. */
  readonly resource_id?: string
}

/** The fields of a financial event that a check needs. A FinancialEvent of the API has them. */
export interface ChainRow extends ChainedEvent {
  readonly hash_version: number
  readonly event_hash: string
  readonly counter_account: string
  readonly counter_delta: number
}

/** The three buckets of one currency, minor units. */
export interface Buckets {
  readonly available: number
  readonly pending: number
  readonly reserved: number
}

/** Where a check stands. */
export interface ChainState {
  /** The last row that holds. */
  readonly sequence_id: number
  /** Its `event_hash`. */
  readonly hash: string
  /** How many rows were found to hold. */
  readonly checked: number
  /** What those rows moved, by currency. */
  readonly sums: ReadonlyMap<string, Buckets>
  readonly first_break: ChainBreak | null
}

/** A check that begins behind the row `sequence_id`, whose `event_hash` is `hash`. */
export const behind = (sequence_id: number, hash: string): ChainState => ({
  sequence_id,
  hash,
  checked: 0,
  sums: new Map(),
  first_break: null
})

/** A check of a chain from its first event. */
export const beginning: ChainState = behind(0, GENESIS_HASH)

/** The check, ended by a break. */
export const brokenAt = (state: ChainState, sequence_id: number, reason: BreakReason): ChainState =>
  brokenBy(state, { sequence_id, reason })

const brokenBy = (state: ChainState, first_break: ChainBreak): ChainState => ({ ...state, first_break })

const reasonAgainst = (row: ChainRow, sequence_id: number, previous_hash: string): BreakReason | undefined => {
  if (row.sequence_id !== sequence_id) return "gap"
  if (row.previous_hash !== previous_hash) return "prev_mismatch"
  if (row.hash_version !== HASH_VERSION || eventHash(row) !== row.event_hash) return "hash_mismatch"
  return followsRoute(row) ? undefined : "balance_mismatch"
}

const add = (sums: Map<string, Buckets>, row: ChainRow): void => {
  if (row.delta_available === 0 && row.delta_pending === 0 && row.delta_reserved === 0) return
  const currencySums = sums.get(row.currency)
  sums.set(row.currency, {
    available: (currencySums?.available ?? 0) + row.delta_available,
    pending: (currencySums?.pending ?? 0) + row.delta_pending,
    reserved: (currencySums?.reserved ?? 0) + row.delta_reserved
  })
}

/**
 * Checks rows of one merchant in ascending order of `sequence_id`, beginning where `start` stands, and
 * says where the check stands then. It stops at the first break. A long chain is checked piece by
 * piece: the answer for one piece is the start of the next.
 */
export const verifyChain = (rows: Iterable<ChainRow>, start: ChainState = beginning): ChainState => {
  if (start.first_break !== null) return start
  const sums = new Map(start.sums)
  let { checked, hash, sequence_id } = start
  for (const row of rows) {
    const reason = reasonAgainst(row, sequence_id + 1, hash)
    if (reason !== undefined) return brokenAt({ sequence_id, hash, checked, sums, first_break: null }, sequence_id + 1, reason)
    sequence_id++
    checked++
    hash = row.event_hash
    add(sums, row)
  }
  return { sequence_id, hash, checked, sums, first_break: null }
}

/** Where the service says a chain ends. */
export interface ChainHead {
  readonly sequence_id: number
  readonly hash: string
}

/**
 * Holds where the rows ended against where they had to: at `to` or, without it, at the head. Nothing
 * may be missing before the end, and behind the head there is nothing.
 */
export const verifyEnd = (state: ChainState, head: ChainHead, to = Number.MAX_SAFE_INTEGER): ChainState => {
  const { hash, sequence_id } = state
  if (state.first_break !== null) return state
  if (to < head.sequence_id) return sequence_id < to ? brokenAt(state, sequence_id + 1, "gap") : state
  if (sequence_id !== head.sequence_id) return brokenAt(state, Math.min(sequence_id, head.sequence_id) + 1, "head_mismatch")
  return hash === head.hash ? state : brokenAt(state, sequence_id, "head_mismatch")
}

const emptyBuckets: Buckets = { available: 0, pending: 0, reserved: 0 }

/** Holds the sums of a whole chain against the stored balances of every currency. */
export const verifyBalances = (state: ChainState, balances: ReadonlyMap<string, Buckets>): ChainState => {
  if (state.first_break !== null) return state
  for (const currency of new Set([...state.sums.keys(), ...balances.keys()])) {
    const sum = state.sums.get(currency) ?? emptyBuckets
    const stored = balances.get(currency) ?? emptyBuckets
    if (sum.available !== stored.available || sum.pending !== stored.pending || sum.reserved !== stored.reserved) {
      return brokenAt(state, state.sequence_id, "balance_mismatch")
    }
  }
  return state
}
