/** The reserve: money of a merchant that the operator holds back against what may come, and gives back or keeps. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Currency } from "@svc/kernel/currency"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { IdempotencyKey } from "@svc/kernel/idempotency"
import { idSchema } from "@svc/kernel/ids"
import { Amount, SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const ReserveId = idSchema("rsv", "ReserveId")
export type ReserveId = typeof ReserveId.Type

export const reserveStatuses = ["held", "closed"] as const
export const ReserveStatus = Schema.Literals(reserveStatuses).annotate({ identifier: "ReserveStatus" })
export type ReserveStatus = typeof ReserveStatus.Type

/** Why, in words that the merchant reads. */
const Reason = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))

/** Row and wire in one declaration. */
export class Reserve extends Model.Class<Reserve>("Reserve")({
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
}) {}

export const ReserveJson = Reserve.json.annotate({
  identifier: "Reserve",
  description: "Money that the operator holds back. While it is held it is `reserved` in the balance: `amount` less what was released and forfeited. Amounts are minor units of `currency`."
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

export const reserves: Table = {
  name: "reserves",
  account: "merchant_id",
  columns: columnsOf(Reserve),
  changes: ["released_amount", "forfeited_amount", "status", "closed_at", "updated_at", "version"],
  audited: true
}

export const decodeRow = Schema.decodeUnknownSync(Reserve)
export const encode = encoderOf(Reserve)

// ---------------------------------------------------------------------------------- requests

const key = {
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({
    description: "A fresh random value for this operation, re-sent only to retry this very operation. Required, here or in the `Idempotency-Key` header."
  }))
}

export const HoldReserveRequest = Schema.Struct({
  ...key,
  merchant_id: Schema.String.annotate({ description: "The account whose money is held" }),
  amount: Amount,
  currency: Currency,
  reason: Reason
}).annotate({
  identifier: "HoldReserveRequest",
  examples: [{ idempotency_key: "5d1c2f8a-7b5e-4a2f-9c55-0d2e4c8b7a11", merchant_id: exampleId("acct"), amount: 50_000, currency: "USD", reason: "Many disputes in October" }]
})
export type HoldReserveRequest = typeof HoldReserveRequest.Type

const part = (description: string) => ({ ...key, amount: Schema.optionalKey(Amount.annotate({ description })) })

export const ReleaseReserveRequest = Schema.Struct(part("Minor units; without it, all that is still held"))
  .annotate({ identifier: "ReleaseReserveRequest", examples: [{ idempotency_key: "1f0e6f0b-15c4-4a4e-8a44-9d0f1b7c2d12", amount: 20_000 }] })
export type ReleaseReserveRequest = typeof ReleaseReserveRequest.Type

export const ForfeitReserveRequest = Schema.Struct(part("Minor units; without it, all that is still held"))
  .annotate({ identifier: "ForfeitReserveRequest", examples: [{ idempotency_key: "c0a1c9a0-2c0e-4b43-8a0e-6c7d5e4f3b13", amount: 20_000 }] })
export type ForfeitReserveRequest = typeof ForfeitReserveRequest.Type

/** What a list may be narrowed to; the names are those of the query. */
export interface ReserveFilter {
  readonly status?: ReserveStatus
  readonly currency?: string
}
