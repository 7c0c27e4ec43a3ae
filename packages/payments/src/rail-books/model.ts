/** The books of the built-in simulator, one row a movement of money with its fee: what it did, whatever the ledger says. */
import { resource, tableOf } from "@svc/kernel/resource/model"
import type { Write } from "@svc/kernel/road/decision"
import { Currency } from "@svc/kernel/values/currency"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { iso, Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { RailName } from "../rails/model.ts"
import { type StatementLine, StatementType } from "../rails/statement.ts"

/** A movement as it is stored. */
export const SimulatorRecord = resource({
  merchant_id: Schema.String,
  /** The provider's reference and what the movement is: one of a kind. */
  id: Schema.String,
  rail: RailName,
  type: StatementType,
  provider_reference: Schema.String,
  amount: Amount,
  currency: Currency,
  /** The fee that is withheld with a capture, or given back with a refund. The statement has a line of its own for it. */
  fee: SafeAmount,
  occurred_at: Timestamp,
  version: Schema.Int
})
export type SimulatorRecord = typeof SimulatorRecord.Type

export const simulatorRecords = tableOf(SimulatorRecord, {
  name: "simulator_records",
  account: "merchant_id"
})

/** A line before it has its owner, and the fee that moves with it. */
export type RailMovement = StatementLine & { readonly provider_reference: string; readonly fee?: number }

/** The lines of the statement that a record makes. */
export const linesOf = (record: SimulatorRecord): ReadonlyArray<StatementLine> =>
  record.fee === 0 ? [record] : [record, { ...record, type: record.type === "refund" ? "fee_refund" : "fee", amount: record.fee }]

/** The movement in the books. `nth` tells those apart that say the same twice. */
export const recordOf = (
  merchant_id: string,
  rail: RailName,
  { amount, currency, fee = 0, occurred_at, provider_reference, type }: RailMovement,
  nth = 0
): Write => ({
  table: simulatorRecords,
  row: {
    merchant_id,
    id: `${provider_reference}/${type}${nth === 0 ? "" : `/${nth}`}`,
    rail,
    type,
    provider_reference,
    amount,
    currency,
    fee,
    occurred_at: iso(occurred_at),
    version: 1
  }
})
