/**
 * The books of the simulator: a row for each operation that moved money. For an authorization whose answer was lost, the row has the final
 * outcome, two seconds after the attempt. For an authorization that was approved for another amount, the row has the approved amount.
 *
 * `sim.statement` in the metadata of a payment makes the simulator's books differ from the merchant's, to test a reconciliation:
 *
 * | value | what the statement says of the capture |
 * |---|---|
 * | `omit` | nothing |
 * | `amount` | one minor unit more |
 * | `currency` | another currency |
 * | `early` | five days before |
 * | `twice` | the same twice |
 * | `extra` | another capture besides, with an unknown reference |
 */
import type { Write } from "@svc/kernel/road/decision"
import { DateTime } from "effect"
import { type RailMovement, recordOf } from "../rail-books/model.ts"
import type { RailAnswer, RailName, RailRequest } from "./model.ts"
import type { RailOperation } from "./rail.ts"
import { statementTypes } from "./statement.ts"

/** The decisions of the simulator, and the references of its operations. */
export interface SimulatorDecisions {
  readonly verdict: (
    request: RailRequest
  ) => { readonly at_once: { readonly _tag: string }; readonly in_the_end: RailAnswer | { readonly _tag: "Unknown" } }
  readonly referenceOf: (key: string) => string
  /** Milliseconds until the outcome of a late answer is known. */
  readonly late: number
}

const EARLY_DAYS = 5

const planted: Readonly<Record<string, (capture: RailMovement) => ReadonlyArray<RailMovement>>> = {
  omit: () => [],
  amount: (capture) => [{ ...capture, amount: capture.amount + 1 }],
  currency: (capture) => [{ ...capture, currency: capture.currency === "EUR" ? "USD" : "EUR" }],
  early: (capture) => [{ ...capture, occurred_at: DateTime.subtract(capture.occurred_at, { days: EARLY_DAYS }) }],
  twice: (capture) => [capture, capture],
  extra: (capture) => [capture, { ...capture, provider_reference: `${capture.provider_reference}x`, amount: capture.amount + 7 }]
}

/** A capture as the statement shows it, and the fee that is withheld. */
const captured = ({ metadata }: RailOperation, capture: RailMovement, fee: number): ReadonlyArray<RailMovement> => {
  const kind = metadata["sim.statement"] ?? ""
  if (!Object.hasOwn(planted, kind)) return [{ ...capture, fee }]
  const stated = planted[kind]?.(capture) ?? []
  return fee === 0 ? stated : [...stated, { ...capture, type: "fee", amount: fee }]
}

/** The final outcome of an authorization that also captures. */
const authorized = (
  railOperation: Extract<RailOperation, { readonly operation: "authorize" }>,
  { late, verdict }: SimulatorDecisions
): ReadonlyArray<RailMovement> => {
  const { at, fee, request } = railOperation
  if (!request.capture) return []
  const { at_once, in_the_end } = verdict(request)
  if (in_the_end._tag !== "Approved") return []
  const isLate = at_once._tag === "Silent" || at_once._tag === "Accepted"
  const occurred_at = isLate ? DateTime.makeUnsafe(request.attempted_at + late) : at
  const capture: RailMovement = {
    type: "capture",
    provider_reference: in_the_end.reference,
    amount: in_the_end.amount,
    currency: request.currency,
    occurred_at
  }
  // Of another amount than was asked for, nothing was agreed that could be withheld.
  return captured(railOperation, capture, in_the_end.amount === request.amount ? fee : 0)
}

const movements = (railOperation: RailOperation, deciding: SimulatorDecisions): ReadonlyArray<RailMovement> => {
  const { at: occurred_at } = railOperation
  switch (railOperation.operation) {
    case "authorize":
      return authorized(railOperation, deciding)
    case "action": {
      const { amount, capture, currency, key } = railOperation.request
      return capture
        ? captured(
          railOperation,
          { type: "capture", provider_reference: deciding.referenceOf(key), amount, currency, occurred_at },
          railOperation.fee
        )
        : []
    }
    case "capture": {
      const { amount, currency, reference } = railOperation.call
      return captured(railOperation, { type: "capture", provider_reference: reference, amount, currency, occurred_at }, railOperation.fee)
    }
    case "refund": {
      const { amount, currency, key } = railOperation.call
      return [{ type: "refund", provider_reference: deciding.referenceOf(key), amount, currency, fee: railOperation.fee, occurred_at }]
    }
    case "void":
      return []
    case "dispute":
    case "dispute_reversal":
      return [{
        type: railOperation.operation,
        provider_reference: railOperation.reference,
        amount: railOperation.amount,
        currency: railOperation.currency,
        occurred_at
      }]
  }
}

/** The rows of an operation. Most authorizations only hold money, and have no row. */
export const recordBy = (rail: RailName, deciding: SimulatorDecisions) => (railOperation: RailOperation): ReadonlyArray<Write> => {
  const all = movements(railOperation, deciding)
  return all.map((movement, n) =>
    recordOf(railOperation.merchant, rail, movement, all.slice(0, n).filter(({ type }) => type === movement.type).length)
  )
}

/** The simulator's statement has lines of all types. */
export const covers = statementTypes
