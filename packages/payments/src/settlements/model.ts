/** The settlement: the money of one capture on its way from `pending` to `available`. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOnlyRequest } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { createdBetween } from "@svc/kernel/resource/pages"
import type { SumsOfCurrency } from "@svc/kernel/resource/sums"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { PaymentIntentId, paymentIntentKind } from "../payment-intents/model.ts"

export const SettlementId = idSchema("set", "SettlementId")
export type SettlementId = typeof SettlementId.Type

export const settlementStatuses = ["queued", "processing", "completed", "failed"] as const
export const SettlementStatus = Schema.Literals(settlementStatuses).annotate({ identifier: "SettlementStatus" })
export type SettlementStatus = typeof SettlementStatus.Type

/** The timer of a settlement's next step. */
export const DUE = "settlement.due"

/** Row and wire in one declaration. */
export const Settlement = resource({
  id: SettlementId,
  merchant_id: AccountId,
  payment_intent_id: PaymentIntentId,
  /** Minor units: the captured amount less its fee and the refunds since. The amount is fixed while the settlement is processing. */
  amount: SafeAmount,
  currency: Currency,
  status: SettlementStatus,
  /** When the settlement is submitted. */
  due_at: Timestamp,
  /** How often the settlement was submitted. */
  attempts: Schema.Int,
  completed_at: Schema.NullOr(Timestamp),
  failure_reason: Schema.NullOr(Schema.String),
  /** The destination of the money, as the account had chosen it when the settlement was submitted. */
  payout_destination: Schema.NullOr(Schema.String),
  payout_method: Schema.NullOr(Schema.String),
  settlement_asset: Schema.NullOr(Schema.String),
  ...versioned
})
export type Settlement = typeof Settlement.Type

/** The resources that an answer can show whole beside the settlement. */
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
    ...exampleVersion
  }]
}))

/** The events of a settlement. */
export const settlementEvents = eventsOf("settlement", ["processing", "completed", "failed"], SettlementJson)
export type SettlementEvent = "processing" | "completed" | "failed"

export const settlements = tableOf(Settlement, {
  name: "settlements",
  account: "merchant_id",
  fixed: ["payment_intent_id", "currency"]
})

/** A settlement whose money has become available, and its account. */
export interface ArrivedSettlement {
  readonly account: AccountFacts
  readonly settlement: Settlement
}

/** The money of the settlement has become available: packages above may pay it out. */
export const settlementArrived = moment<ArrivedSettlement>("settlement.arrived")

export const RetrySettlementRequest = keyOnlyRequest("RetrySettlementRequest", "f2a1f0c1-4a8f-4ac4-8f22-0b6a35d0f0a7")
export type RetrySettlementRequest = typeof RetrySettlementRequest.Type

/** The filters of a list. */
export const settlementFilters = {
  status: Schema.optionalKey(SettlementStatus),
  payment_intent_id: Schema.optionalKey(Schema.String),
  currency: Schema.optionalKey(Currency),
  ...createdBetween
}
/** The columns that can be added up over a list. */
export const settlementSums = ["amount"] as const
export type SettlementSums = ReadonlyArray<SumsOfCurrency<(typeof settlementSums)[number]>>

export type SettlementFilter = Schema.Struct.Type<typeof settlementFilters>
