/** What a call that is paid when it is made leaves beside its row: what it is paid with, and what it delivered, before the money moves. */
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { fromJsonText } from "@svc/kernel/json"
import { SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { ToolCallId } from "../tool-calls/model.ts"

/** When nobody asks for what was delivered any more. */
export const FORGOTTEN = "paid_call.forgotten"

export class PaidCall extends Model.Class<PaidCall>("PaidCall")({
  /** The call's. */
  id: ToolCallId,
  account_id: Schema.String,
  /** Which of the installation's own merchant accounts is paid. */
  sandbox: Schema.Boolean,
  /** A `PaidWith` as JSON, sealed. Gone as soon as the call is settled or released. */
  payment: Schema.NullOr(Schema.String),
  /** US cents that a transfer was signed for. */
  signed_for: SafeAmount,
  /** JSON of what the tool delivered; kept before the money moves. Null before that, and where it was not paid after all. */
  result: Schema.NullOr(Schema.String),
  /** US cents that it came to. */
  taken: SafeAmount,
  /** JSON of {@link Receipt}, once it is paid. */
  receipt: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

export const paidCalls: Table = {
  name: "paid_calls",
  account: "account_id",
  columns: columnsOf(PaidCall),
  changes: ["payment", "result", "taken", "receipt", "updated_at", "version"]
}

export const decodeRow = Schema.decodeUnknownSync(PaidCall)
export const encode = encoderOf(PaidCall)

/** What the payer is told besides the result, in the words of the protocol that was spoken. */
export const Receipt = Schema.Struct({ headers: Schema.Record(Schema.String, Schema.String), meta: Schema.Record(Schema.String, Schema.Unknown) })
export const decodeReceipt = Schema.decodeUnknownSync(fromJsonText(Receipt))

/** What a call wants to have for itself. A fleeting one, such as payer, tool and arguments, lapses ten minutes after the call. */
export interface Claim {
  readonly key: string
  readonly fleeting: boolean
}

/** The call that has it already. */
export interface Taken {
  readonly key: string
  readonly account_id: string
  readonly call_id: string
}
