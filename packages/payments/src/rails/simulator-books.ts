/**
 * What the simulator writes in its own books of what it was asked. It writes what it did: of an authorization whose answer is lost, what comes
 * of it in the end, two seconds after the attempt; of one that it approves for another amount, that amount.
 *
 * `sim.statement` in the metadata of a payment makes its books differ from the merchant's, for whoever rehearses a reconciliation:
 *
 * | value | what the statement says of the capture |
 * |---|---|
 * | `omit` | nothing |
 * | `amount` | one minor unit more |
 * | `currency` | another currency |
 * | `early` | five days before |
 * | `twice` | the same twice |
 * | `extra` | another one besides, with a reference that nobody knows |
 */
import type { Write } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import { type Movement, recordOf } from "../rail-books/model.ts"
import type { RailAnswer, RailName, RailRequest } from "./model.ts"
import type { RailDeed } from "./rail.ts"
import { statementTypes } from "./statement.ts"

/** How the simulator decides, and what it calls what it does. */
export interface Deciding {
  readonly verdict: (request: RailRequest) => { readonly at_once: { readonly _tag: string }; readonly in_the_end: RailAnswer | { readonly _tag: "Unknown" } }
  readonly referenceOf: (key: string) => string
  /** Milliseconds until an answer that comes late is known. */
  readonly late: number
}

const EARLY_DAYS = 5

const planted: Readonly<Record<string, (capture: Movement) => ReadonlyArray<Movement>>> = {
  omit: () => [],
  amount: (capture) => [{ ...capture, amount: capture.amount + 1 }],
  currency: (capture) => [{ ...capture, currency: capture.currency === "EUR" ? "USD" : "EUR" }],
  early: (capture) => [{ ...capture, occurred_at: DateTime.subtract(capture.occurred_at, { days: EARLY_DAYS }) }],
  twice: (capture) => [capture, capture],
  extra: (capture) => [capture, { ...capture, provider_reference: `${capture.provider_reference}x`, amount: capture.amount + 7 }]
}

/** A capture as it is stated, and the fee that is withheld for it. */
const captured = ({ metadata }: RailDeed, capture: Movement, fee: number): ReadonlyArray<Movement> => {
  const kind = metadata["sim.statement"] ?? ""
  const stated = Object.hasOwn(planted, kind) ? planted[kind]?.(capture) ?? [] : [capture]
  return fee === 0 ? stated : [...stated, { ...capture, type: "fee", amount: fee }]
}

const refunded = (refund: Movement, fee: number): ReadonlyArray<Movement> => fee === 0 ? [refund] : [refund, { ...refund, type: "fee_refund", amount: fee }]

/** What an authorization comes to in the end, when it takes money. */
const authorized = (deed: Extract<RailDeed, { readonly operation: "authorize" }>, { late, verdict }: Deciding): ReadonlyArray<Movement> => {
  const { at, fee, request } = deed
  if (!request.capture) return []
  const { at_once, in_the_end } = verdict(request)
  if (in_the_end._tag !== "Approved") return []
  const isLate = at_once._tag === "Silent" || at_once._tag === "Accepted"
  const occurred_at = isLate ? DateTime.makeUnsafe(request.attempted_at + late) : at
  const capture: Movement = { type: "capture", provider_reference: in_the_end.reference, amount: in_the_end.amount, currency: request.currency, occurred_at }
  // Of another amount than was asked for, nothing was agreed that could be withheld.
  return captured(deed, capture, in_the_end.amount === request.amount ? fee : 0)
}

const movements = (deed: RailDeed, deciding: Deciding): ReadonlyArray<Movement> => {
  const { at: occurred_at } = deed
  switch (deed.operation) {
    case "authorize":
      return authorized(deed, deciding)
    case "action": {
      const { amount, capture, currency, key } = deed.request
      return capture ? captured(deed, { type: "capture", provider_reference: deciding.referenceOf(key), amount, currency, occurred_at }, deed.fee) : []
    }
    case "capture": {
      const { amount, currency, reference } = deed.call
      return captured(deed, { type: "capture", provider_reference: reference, amount, currency, occurred_at }, deed.fee)
    }
    case "refund": {
      const { amount, currency, key } = deed.call
      return refunded({ type: "refund", provider_reference: deciding.referenceOf(key), amount, currency, occurred_at }, deed.fee)
    }
    case "void":
      return []
    case "dispute":
    case "dispute_reversal":
      return [{ type: deed.operation, provider_reference: deed.reference, amount: deed.amount, currency: deed.currency, occurred_at }]
  }
}

/** The rows that a deed makes. Most authorizations only hold money, and make none. */
export const recordBy = (rail: RailName, deciding: Deciding) => (deed: RailDeed): ReadonlyArray<Write> => {
  const all = movements(deed, deciding)
  return all.map((movement, n) => recordOf(deed.merchant, rail, movement, all.slice(0, n).filter(({ type }) => type === movement.type).length))
}

/** All that there is, the simulator tells. */
export const covers = statementTypes
