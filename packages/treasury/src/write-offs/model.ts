/** The write-off: a debt of a merchant that the operator bears, so that the account owes nothing any more. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const WriteOffId = idSchema("wo", "WriteOffId")
export type WriteOffId = typeof WriteOffId.Type

/** Why, in words that the merchant reads. */
const Reason = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))

/** Row and wire in one declaration. */
export const WriteOff = resource({
  id: WriteOffId,
  merchant_id: AccountId,
  /** Minor units that the merchant owed and owes no longer. */
  amount: Amount,
  currency: Currency,
  reason: Reason,
  created_at: Timestamp,
  version: Schema.Int
})
export type WriteOff = typeof WriteOff.Type

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

export const writeOffs = tableOf(WriteOff, {
  name: "write_offs",
  account: "merchant_id",
  audited: true
})

// ---------------------------------------------------------------------------------- requests

export const CreateWriteOffRequest = Schema.Struct({
  ...requiredKey,
  merchant_id: Schema.String.annotate({ description: "The account whose debt is written off" }),
  amount: Schema.optionalKey(Amount.annotate({ description: "Minor units; without it, all that the account owes in the currency" })),
  currency: Currency,
  reason: Reason
}).annotate({
  identifier: "CreateWriteOffRequest",
  examples: [{
    idempotency_key: "7a4f0f0d-0c8b-4b1c-8b43-6e8d1a9c5f14",
    merchant_id: exampleId("acct"),
    currency: "USD",
    reason: "The business has closed"
  }]
})
export type CreateWriteOffRequest = typeof CreateWriteOffRequest.Type

/** What a list may be narrowed to. */
export const writeOffFilters = { currency: Schema.optionalKey(Currency) }
export type WriteOffFilter = Schema.Struct.Type<typeof writeOffFilters>
