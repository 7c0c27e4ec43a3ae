/**
 * What a provider says it did: the lines of its statement. It keeps its own books, in its own words and at its own moments; that they
 * agree with the ledger is for a reconciliation to find out.
 */
import { Context, type DateTime, Schema, type Stream } from "effect"
import type { RailName, RailUnreachable } from "./model.ts"

/**
 * What a line is about: money that was captured, refunded, taken back by a customer's bank or given back by it, and the platform's fee that
 * the provider withheld or gave back.
 */
export const statementTypes = ["capture", "refund", "dispute", "dispute_reversal", "fee", "fee_refund"] as const
export const StatementType = Schema.Literals(statementTypes).annotate({ identifier: "StatementLineType" })
export type StatementType = typeof StatementType.Type

export interface StatementLine {
  readonly type: StatementType
  /** What the provider calls it; null where it does not say. */
  readonly provider_reference: string | null
  /** Minor units, above zero: the type says which way they move. */
  readonly amount: number
  readonly currency: string
  readonly occurred_at: DateTime.Utc
}

/** The account and the period of a statement: from its beginning, and before its end. */
export interface StatementPeriod {
  /** The account, as the provider knows it. */
  readonly merchant: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** Where rails that act in this process keep their books. */
export class RailBooks extends Context.Service<RailBooks, {
  /** Oldest first. */
  readonly lines: (rail: RailName, period: StatementPeriod) => Stream.Stream<StatementLine>
}>()("@svc/payments/RailBooks") {}

/** The statement of a rail. */
export interface RailStatement {
  /** What it tells of: of anything else its silence says nothing. */
  readonly covers: ReadonlyArray<StatementType>
  /** The lines of a period, in any order. */
  readonly lines: (period: StatementPeriod) => Stream.Stream<StatementLine, RailUnreachable, RailBooks>
}
