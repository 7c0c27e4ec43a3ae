/** The write-off: a debt of a merchant that the operator bears, so that the account owes nothing any more. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Currency } from "@svc/kernel/currency"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/examples"
import { IdempotencyKey } from "@svc/kernel/idempotency"
import { idSchema } from "@svc/kernel/ids"
import { Amount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const WriteOffId = idSchema("wo", "WriteOffId")
export type WriteOffId = typeof WriteOffId.Type

/** Why, in words that the merchant reads. */
const Reason = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))

/** Row and wire in one declaration. */
export class WriteOff extends Model.Class<WriteOff>("WriteOff")({
  id: WriteOffId,
  merchant_id: AccountId,
  /** Minor units that the merchant owed and owes no longer. */
  amount: Amount,
  currency: Currency,
  reason: Reason,
  created_at: Timestamp,
  version: Schema.Int
}) {}

export const WriteOffJson = WriteOff.json.annotate({
  identifier: "WriteOff",
  description: "A debt that the operator bears: an available balance below zero that was raised by `amount`, minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("wo"),
    merchant_id: exampleId("acct"),
    amount: 320,
    currency: "USD",
    reason: "The business has closed",
    created_at: EXAMPLE_TIME,
    version: 1
  }]
}))

export const writeOffs: Table = {
  name: "write_offs",
  account: "merchant_id",
  columns: columnsOf(WriteOff),
  changes: ["version"],
  audited: true
}

export const decodeRow = Schema.decodeUnknownSync(WriteOff)
export const encode = encoderOf(WriteOff)

// ---------------------------------------------------------------------------------- requests

export const CreateWriteOffRequest = Schema.Struct({
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({
    description: "A fresh random value for this operation, re-sent only to retry this very operation. Required, here or in the `Idempotency-Key` header."
  })),
  merchant_id: Schema.String.annotate({ description: "The account whose debt is written off" }),
  amount: Schema.optionalKey(Amount.annotate({ description: "Minor units; without it, all that the account owes in the currency" })),
  currency: Currency,
  reason: Reason
}).annotate({
  identifier: "CreateWriteOffRequest",
  examples: [{ idempotency_key: "7a4f0f0d-0c8b-4b1c-8b43-6e8d1a9c5f14", merchant_id: exampleId("acct"), currency: "USD", reason: "The business has closed" }]
})
export type CreateWriteOffRequest = typeof CreateWriteOffRequest.Type
