/** The settlement: the money of one capture on its way from `pending` to `available`. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Currency } from "@svc/kernel/currency"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { eventsOf } from "@svc/kernel/events"
import { refersTo } from "@svc/kernel/expansion"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { IdempotencyKey } from "@svc/kernel/idempotency"
import { idSchema } from "@svc/kernel/ids"
import { SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { moment } from "@svc/kernel/road/follow-ups"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import type { DateTime } from "effect"
import { Model } from "effect/schema"
import { PaymentIntentId, paymentIntentKind } from "../payment-intents/model.ts"

export const SettlementId = idSchema("set", "SettlementId")
export type SettlementId = typeof SettlementId.Type

export const settlementStatuses = ["queued", "processing", "completed", "failed"] as const
export const SettlementStatus = Schema.Literals(settlementStatuses).annotate({ identifier: "SettlementStatus" })
export type SettlementStatus = typeof SettlementStatus.Type

/** The timer of a settlement: its next step. */
export const DUE = "settlement.due"

/** Row and wire in one declaration. */
export class Settlement extends Model.Class<Settlement>("Settlement")({
  id: SettlementId,
  merchant_id: AccountId,
  payment_intent_id: PaymentIntentId,
  /** Minor units: what was captured less its fee, and less what was refunded since. It is fixed while the settlement is processing. */
  amount: SafeAmount,
  currency: Currency,
  status: SettlementStatus,
  /** When it is sent on its way. */
  due_at: Timestamp,
  /** How often it was sent on its way. */
  attempts: Schema.Int,
  completed_at: Schema.NullOr(Timestamp),
  failure_reason: Schema.NullOr(Schema.String),
  /** Where the money goes, as the account said when the settlement was sent on its way. */
  payout_destination: Schema.NullOr(Schema.String),
  payout_method: Schema.NullOr(Schema.String),
  settlement_asset: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

/** What of a settlement can be shown whole. */
export const settlementExpansion = refersTo("payment_intent", paymentIntentKind)

export const SettlementJson = Schema.Struct({ ...Settlement.json.fields, ...settlementExpansion.fields }).annotate({
  identifier: "Settlement",
  description: "The money of one capture, on its way from `pending` to `available`. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("set"),
    merchant_id: exampleId("acct"),
    payment_intent_id: exampleId("pi"),
    amount: 1911,
    currency: "USD",
    status: "queued",
    due_at: "2026-01-03T12:00:00.000Z",
    attempts: 0,
    completed_at: null,
    failure_reason: null,
    payout_destination: null,
    payout_method: null,
    settlement_asset: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 1
  }]
}))

/** What webhooks tell of a settlement. */
export const settlementEvents = eventsOf("settlement", ["processing", "completed", "failed"], SettlementJson)
export type SettlementEvent = "processing" | "completed" | "failed"

export const settlements: Table = {
  name: "settlements",
  account: "merchant_id",
  columns: columnsOf(Settlement),
  changes: [
    "amount", "status", "due_at", "attempts", "completed_at", "failure_reason", "payout_destination", "payout_method", "settlement_asset",
    "updated_at", "version"
  ]
}

/** Its money has arrived, and is available: parts above may pay it out. */
export const settlementArrived = moment<Settlement>("settlement.arrived")

export const decodeRow = Schema.decodeUnknownSync(Settlement)
export const encode = encoderOf(Settlement)

export const RetrySettlementRequest = Schema.Struct({
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({
    description: "A fresh random value for this operation, re-sent only to retry this very operation. Required, here or in the `Idempotency-Key` header."
  }))
}).annotate({ identifier: "RetrySettlementRequest", examples: [{ idempotency_key: "f2a1f0c1-4a8f-4ac4-8f22-0b6a35d0f0a7" }] })
export type RetrySettlementRequest = typeof RetrySettlementRequest.Type

/** What a list may be narrowed to; the names are those of the query. */
export interface SettlementFilter {
  readonly status?: SettlementStatus
  readonly payment_intent_id?: string
  readonly currency?: string
  readonly "created_at[gte]"?: DateTime.Utc
  readonly "created_at[lt]"?: DateTime.Utc
}
