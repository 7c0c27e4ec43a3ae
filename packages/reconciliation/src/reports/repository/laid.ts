/** Rows of the two sides of a report under way. */
import { iso } from "@svc/kernel/values/time"
import type { StatementType } from "@svc/payments/rails/statement"
import { DateTime } from "effect"
import type { Correction, Item, Line } from "../model.ts"

/** Rows of one piece while a report is made. */
export const CHUNK = 4_000

/** A row of the lines of a report: of the statement on side 0, of the ledger on side 1, a correction without an event on side 2. */
export type ComparisonRow = { readonly side: 0; readonly line: Line } | { readonly side: 1 | 2; readonly n: number; readonly item: Item }

export interface LineRow {
  readonly side: 0 | 1 | 2
  readonly n: number
  readonly type: StatementType
  readonly provider_reference: string | null
  readonly amount: number
  readonly currency: string
  readonly at: string
  readonly event_id: string | null
  readonly expected: boolean
  readonly open: boolean
  readonly stated_at: string | null
  /** The mismatch whose correction stands, and what it says; null where it says that there is nothing. */
  readonly correction: string | null
  readonly content: { readonly amount: number; readonly currency: string; readonly occurred_at: string } | null
}

/** The place of a row in the order of types and references. */
export interface ReferencePlace {
  readonly type: string
  readonly provider_reference: string
  readonly side: number
  readonly n: number
}

export const BEGINNING: ReferencePlace = { type: "", provider_reference: "", side: 0, n: 0 }

export const placeOf = (laid: ComparisonRow): ReferencePlace => {
  const { provider_reference, type } = laid.side === 0 ? laid.line : laid.item
  return { type, provider_reference: provider_reference ?? "", side: laid.side, n: laid.side === 0 ? laid.line.n : laid.n }
}

/** The place of a row of one side in the order of types, currencies, amounts and days. */
export interface DayPlace {
  readonly type: string
  readonly currency: string
  readonly amount: number
  /** ISO 8601. */
  readonly at: string
  readonly provider_reference: string
  readonly n: number
}

export const FIRST_DAY: DayPlace = { type: "", currency: "", amount: 0, at: "0001-01-01T00:00:00.000Z", provider_reference: "", n: 0 }

export const dayPlaceOf = (laid: ComparisonRow): DayPlace => {
  const { amount, at, currency } = laid.side === 0 ? laid.line : laid.item
  const { n, provider_reference, type } = placeOf(laid)
  return { type, currency, amount, at: iso(DateTime.makeUnsafe(at)), provider_reference, n }
}

/** The place of an event in the order in which lines without a reference were stated before. */
export const statedPlaceOf = (laid: ComparisonRow): DayPlace => {
  const place = dayPlaceOf(laid)
  const stated_at = laid.side === 0 ? undefined : laid.item.stated_at
  return stated_at === undefined ? place : { ...place, at: iso(DateTime.makeUnsafe(stated_at)) }
}

const correctionOf = ({ content, correction }: LineRow): Correction | undefined =>
  correction === null
    ? undefined
    : {
      id: correction,
      content: content === null ? null : { amount: content.amount, currency: content.currency, at: Date.parse(content.occurred_at) }
    }

export const laidOf = (row: LineRow): ComparisonRow => {
  const { amount, currency, event_id, expected, n, open, provider_reference, side, type } = row
  const stated_at = row.stated_at === null ? undefined : Date.parse(row.stated_at)
  const movement = { type, provider_reference, amount, currency, at: Date.parse(row.at) }
  return side === 0
    ? { side, line: { ...movement, n } }
    : {
      side,
      n,
      item: { ...movement, sequence_id: side === 1 ? n : null, event_id, expected, open, stated_at, correction: correctionOf(row) }
    }
}
