/** The reserve: money of a merchant that the operator holds back against what may come, and gives back or keeps. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const ReserveId = idSchema("rsv", "ReserveId")
export type ReserveId = typeof ReserveId.Type

export const reserveStatuses = ["held", "closed"] as const
export const ReserveStatus = Schema.Literals(reserveStatuses).annotate({ identifier: "ReserveStatus" })
export type ReserveStatus = typeof ReserveStatus.Type

/** Why, in words that the merchant reads. */
const Reason = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))

/** Row and wire in one declaration. */
export const Reserve = resource({
  id: ReserveId,
  merchant_id: AccountId,
  /** Minor units that were held. */
  amount: Amount,
  currency: Currency,
  /** What of it is available again. */
  released_amount: SafeAmount,
  /** What of it the operator keeps. */
  forfeited_amount: SafeAmount,
  reason: Reason,
  status: ReserveStatus,
  closed_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Reserve = typeof Reserve.Type

export const ReserveJson = Reserve.json.annotate({
  identifier: "Reserve",
  description:
    "Money that the operator holds back. While it is held it is `reserved` in the balance: `amount` less what was released and " +
    "forfeited. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("rsv"),
    merchant_id: exampleId("acct"),
    amount: 50_000,
    currency: "USD",
    released_amount: 20_000,
    forfeited_amount: 0,
    reason: "Many disputes in October",
    status: "held",
    closed_at: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2
  }]
}))

export const reserves = tableOf(Reserve, {
  name: "reserves",
  account: "merchant_id",
  fixed: ["amount", "currency", "reason"],
  audited: true
})

// ---------------------------------------------------------------------------------- requests

export const HoldReserveRequest = Schema.Struct({
  ...requiredKey,
  merchant_id: Schema.String.annotate({ description: "The account whose money is held" }),
  amount: Amount,
  currency: Currency,
  reason: Reason
}).annotate({
  identifier: "HoldReserveRequest",
  examples: [{
    idempotency_key: "5d1c2f8a-7b5e-4a2f-9c55-0d2e4c8b7a11",
    merchant_id: exampleId("acct"),
    amount: 50_000,
    currency: "USD",
    reason: "Many disputes in October"
  }]
})
export type HoldReserveRequest = typeof HoldReserveRequest.Type

const part = (description: string) => ({ ...requiredKey, amount: Schema.optionalKey(Amount.annotate({ description })) })

export const ReleaseReserveRequest = Schema.Struct(part("Minor units; without it, all that is still held"))
  .annotate({
    identifier: "ReleaseReserveRequest",
    examples: [{ idempotency_key: "1f0e6f0b-15c4-4a4e-8a44-9d0f1b7c2d12", amount: 20_000 }]
  })
export type ReleaseReserveRequest = typeof ReleaseReserveRequest.Type

export const ForfeitReserveRequest = Schema.Struct(part("Minor units; without it, all that is still held"))
  .annotate({
    identifier: "ForfeitReserveRequest",
    examples: [{ idempotency_key: "c0a1c9a0-2c0e-4b43-8a0e-6c7d5e4f3b13", amount: 20_000 }]
  })
export type ForfeitReserveRequest = typeof ForfeitReserveRequest.Type

/** What a list may be narrowed to. */
export const reserveFilters = { status: Schema.optionalKey(ReserveStatus), currency: Schema.optionalKey(Currency) }
export type ReserveFilter = Schema.Struct.Type<typeof reserveFilters>
