/** Checking a ledger from outside: everything that is hashed is public, so nothing has to be believed. */
import type { BalanceAccountJson } from "@svc/ledger/balances/model"
import { beginning, verifyBalances, verifyChain as verifyRows, verifyEnd } from "@svc/ledger/financial-events/model"
import type { FinancialEventJson } from "@svc/ledger/financial-events/model"
import { DateTime, Effect } from "effect"
import type { Client } from "./client.ts"

/** A financial event as the client returns it. */
export type FinancialEvent = typeof FinancialEventJson.Type
type Balance = typeof BalanceAccountJson.Type

/** Where a check stands after some events: how many held, and the first break if there is one. */
export type ChainState = ReturnType<typeof verifyRows>

/**
 * Recomputes the hashes of consecutive financial events of one merchant, given in ascending order of `sequence_id`, and holds each against
 * the routes of its event type, the service's own table. A long chain is checked in pieces: pass the state of one piece to the next.
 */
export const verifyChain = (events: Iterable<FinancialEvent>, start: ChainState = beginning): ChainState =>
  verifyRows(Array.from(events, (event) => ({ ...event, created_at: DateTime.formatIso(event.created_at) })), start)

/** What a check of a whole ledger found. */
export interface LedgerReport {
  readonly ok: boolean
  /** Events that hold. */
  readonly checked: number
  readonly last_sequence_id: number
  /** `event_hash` of the last event that holds; keep it to notice later if history was rewritten. */
  readonly head_hash: string
  readonly first_break: ChainState["first_break"]
}

const PIECE = 100
/** Money that moves while it is counted makes the count begin again, this often. */
const TRIES = 10

const head = (client: Client) => Effect.map(client.financial_events.list({ query: { page: 1, per_page: 1 } }), ({ data }) => data[0])

const balancesOf = Effect.fnUntraced(function*(client: Client) {
  const found: Array<Balance> = []
  for (let page = 1;; page++) {
    const { data, has_more } = yield* client.balance_accounts.list({ query: { page, per_page: PIECE } })
    found.push(...data)
    if (!has_more) return new Map(found.map(({ available, currency, pending, reserved }) => [currency, { available, pending, reserved }]))
  }
})

/** The newest event and the balances as of it, or the balances left out when they never held still. */
const books = Effect.fnUntraced(function*(client: Client) {
  let last = yield* head(client)
  for (let tries = 1; tries <= TRIES; tries++) {
    const balances = yield* balancesOf(client)
    const again = yield* head(client)
    if (again?.sequence_id === last?.sequence_id) return { last, balances }
    last = again
  }
  return { last, balances: undefined }
})

/**
 * Reads the caller's whole ledger and its balances through the API, recomputes every hash, holds every event
 * against its routes and adds every movement up. The service is asked for data only, never for its opinion.
 */
export const verifyLedger = Effect.fn("verifyLedger")(function*(client: Client) {
  const { balances, last } = yield* books(client)
  const end = { sequence_id: last?.sequence_id ?? 0, hash: last?.event_hash ?? beginning.hash }
  let state = beginning
  while (state.first_break === null && state.sequence_id < end.sequence_id) {
    const from = state.sequence_id + 1
    const to = Math.min(state.sequence_id + PIECE, end.sequence_id)
    const { data } = yield* client.financial_events.list({
      query: { page: 1, per_page: PIECE, "sequence_id[gte]": from, "sequence_id[lte]": to }
    })
    // The list is newest first.
    state = verifyEnd(verifyChain(data.toReversed(), state), end, to)
  }
  state = verifyEnd(state, end)
  if (balances !== undefined) state = verifyBalances(state, balances)
  const { checked, first_break, hash } = state
  return { ok: first_break === null, checked, last_sequence_id: end.sequence_id, head_hash: hash, first_break } satisfies LedgerReport
})
