/** The books of the built-in simulator, one row a movement of money: what it did, whatever the ledger says. */
import { Currency } from "@svc/kernel/currency"
import { columnsOf } from "@svc/kernel/database/rows"
import { Amount } from "@svc/kernel/money"
import type { Table, Write } from "@svc/kernel/road/decision"
import { iso, Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { RailName } from "../rails/model.ts"
import { type StatementLine, StatementType } from "../rails/statement.ts"

/** A movement as it is stored. */
export class SimulatorRecord extends Model.Class<SimulatorRecord>("SimulatorRecord")({
  merchant_id: Schema.String,
  /** The provider's reference and what the movement is: one of a kind. */
  id: Schema.String,
  rail: RailName,
  type: StatementType,
  provider_reference: Schema.String,
  amount: Amount,
  currency: Currency,
  occurred_at: Timestamp,
  version: Schema.Int
}) {}

export const simulatorRecords: Table = {
  name: "simulator_records",
  account: "merchant_id",
  columns: columnsOf(SimulatorRecord),
  changes: ["version"]
}

/** A line before it has its owner. */
export type Movement = StatementLine & { readonly provider_reference: string }

/** The movement in the books. `nth` tells those apart that say the same twice. */
export const recordOf = (merchant_id: string, rail: RailName, { amount, currency, occurred_at, provider_reference, type }: Movement, nth = 0): Write => ({
  table: simulatorRecords,
  row: {
    merchant_id,
    id: `${provider_reference}/${type}${nth === 0 ? "" : `/${nth}`}`,
    rail,
    type,
    provider_reference,
    amount,
    currency,
    occurred_at: iso(occurred_at),
    version: 1
  }
})
