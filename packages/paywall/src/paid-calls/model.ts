/** What a call that is paid when it is made leaves beside its row: what it is paid with, and what it delivered, before the money moves. */
import { resource, tableOf } from "@svc/kernel/resource/model"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { type ToolCall, ToolCallId } from "@svc/metering/tool-calls/model"
import { Schema } from "effect"

/** When nobody asks for what was delivered any more. */
export const FORGOTTEN = "paid_call.forgotten"

export const PaidCall = resource({
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
})
export type PaidCall = typeof PaidCall.Type

export const paidCalls = tableOf(PaidCall, {
  name: "paid_calls",
  account: "account_id",
  fixed: ["sandbox", "signed_for"]
})

/** How far a call is. */
export interface PaidCallStep {
  readonly call: ToolCall
  readonly paid: PaidCall
}

/** What the payer is told besides the result, in the words of the protocol that was spoken. */
export const Receipt = Schema.Struct({
  headers: Schema.Record(Schema.String, Schema.String),
  meta: Schema.Record(Schema.String, Schema.Unknown)
})
export const decodeReceipt = Schema.decodeUnknownSync(fromJsonText(Receipt))

/** What a call wants to have for itself. A fleeting one, such as payer, tool and arguments, lapses ten minutes after the call. */
export interface CallClaim {
  readonly key: string
  readonly fleeting: boolean
}

/** The call that has it already. */
export interface TakenClaim {
  readonly key: string
  readonly account_id: string
  readonly call_id: string
}
