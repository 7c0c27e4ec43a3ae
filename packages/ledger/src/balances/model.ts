/** The balance account: a merchant's money in one currency, in three disjoint buckets. */
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount, SignedAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const BalanceAccountId = idSchema("ba", "BalanceAccountId")
export type BalanceAccountId = typeof BalanceAccountId.Type

/** Row and wire in one declaration. The sum of the three buckets is the merchant's money. */
export class BalanceAccount extends Model.Class<BalanceAccount>("BalanceAccount")({
  account_id: Model.Sensitive(Schema.String),
  id: BalanceAccountId,
  currency: Currency,
  /** Usable. Below zero only through refunds, disputes and fees. */
  available: SignedAmount,
  /** Captured and not yet settled. */
  pending: SafeAmount,
  /** Held for disputes, reserves, payouts under way and gift cards. */
  reserved: SafeAmount,
  updated_at: Timestamp
}) {}

/** What the API shows. */
export const BalanceAccountJson = BalanceAccount.json.annotate({
  identifier: "BalanceAccount",
  description: "A merchant's money in one currency, minor units: captured and not yet settled, usable, and held. The three never overlap."
}).pipe(Schema.annotateEncoded({
  examples: [{ id: exampleId("ba"), currency: "USD", available: 0, pending: 1426, reserved: 0, updated_at: EXAMPLE_TIME }]
}))

const insufficient = errorCode(
  "insufficient_balance",
  400,
  "The available balance is smaller than the amount.",
  "Wait for settlements, or send a smaller amount."
)

/** 400. A balance is smaller than the amount that it was to give; `details` says what it holds. */
export class InsufficientBalance extends Schema.Error<InsufficientBalance>("InsufficientBalance")(
  { ...wireFields("InsufficientBalance", insufficient), code: Schema.String },
  wireAnnotations(insufficient)
) {}
