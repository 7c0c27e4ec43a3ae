/**
 * The statement of a provider. A provider keeps its own books, with its own references and times. A reconciliation compares the statement
 * with the ledger.
 */
import { Context, type DateTime, Schema, type Stream } from "effect"
import type { RailName, RailUnreachable } from "./model.ts"

/**
 * The types of lines: a capture, a refund, money that a customer's bank took back (`dispute`) or returned (`dispute_reversal`), and the
 * platform's fee that the provider withheld or gave back.
 */
export const statementTypes = ["capture", "refund", "dispute", "dispute_reversal", "fee", "fee_refund"] as const
export const StatementType = Schema.Literals(statementTypes).annotate({ identifier: "StatementLineType" })
export type StatementType = typeof StatementType.Type

export interface StatementLine {
  readonly type: StatementType
  /** The provider's reference of the operation; null if the statement has none. */
  readonly provider_reference: string | null
  /** Minor units, above zero. The type says in which direction the money moves. */
  readonly amount: number
  readonly currency: string
  readonly occurred_at: DateTime.Utc
}

/** The account and the period of a statement: from `from` on, and before `to`. */
export interface StatementPeriod {
  /** The account, as the provider knows it. */
  readonly merchant: string
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** The books of the rails that act in this process. */
export class RailBooks extends Context.Service<RailBooks, {
  /** Oldest first. */
  readonly lines: (rail: RailName, period: StatementPeriod) => Stream.Stream<StatementLine>
}>()("@svc/payments/RailBooks") {}

/** The statement of a rail. */
export interface RailStatement {
  /** The types of lines that the statement lists. A missing line of another type means nothing. */
  readonly covers: ReadonlyArray<StatementType>
  /** The lines of a period, in any order. */
  readonly lines: (period: StatementPeriod) => Stream.Stream<StatementLine, RailUnreachable, RailBooks>
}
