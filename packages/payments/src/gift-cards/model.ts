/** The gift card: money that a merchant holds for the customer who knows the code. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { moment } from "@svc/kernel/road/follow-ups"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const GiftCardId = idSchema("gc", "GiftCardId")
export type GiftCardId = typeof GiftCardId.Type

export const GiftCardStatus = Schema.Literals(["issued", "active", "used"]).annotate({ identifier: "GiftCardStatus" })
export type GiftCardStatus = typeof GiftCardStatus.Type

/** The number of wrong codes that locks a card, and the minutes for which the card is locked. */
export const MOST_TRIES = 5
export const LOCKED_MINUTES = 15

/** Row and wire in one declaration. Only the hash of the code is stored, and the hash never leaves the service. */
export const GiftCard = resource({
  id: GiftCardId,
  merchant_id: AccountId,
  currency: Currency,
  /** The minor units that are left on the card. They are `reserved` in the merchant's balance. */
  balance: SafeAmount,
  status: GiftCardStatus,
  /** The last four characters of the code, by which a customer recognizes the card. */
  last4: Schema.String,
  code_hash: Model.Sensitive(Schema.String),
  /** The number of wrong codes since the last right code. */
  wrong_tries: Model.Sensitive(Schema.Int),
  locked_until: Model.Sensitive(Schema.NullOr(Timestamp)),
  ...versioned
})
export type GiftCard = typeof GiftCard.Type

const example = {
  id: exampleId("gc"),
  merchant_id: exampleId("acct"),
  currency: "USD",
  balance: 2_500,
  status: "active",
  last4: "7Q2M",
  ...exampleVersion,
  version: 2
} as const

export const GiftCardJson = GiftCard.json.annotate({
  identifier: "GiftCard",
  description: "Money that is held for whoever knows the code. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

export const IssuedGiftCard = Schema.Struct({
  ...GiftCard.json.fields,
  code: Schema.String.annotate({ description: "The code for the customer, shown by this answer and never again: only its hash is kept" })
}).annotate({ identifier: "IssuedGiftCard" }).pipe(
  Schema.annotateEncoded({ examples: [{ ...example, balance: 0, status: "issued", version: 1, code: "K7XW-93QD-PB4T-7Q2M" }] })
)

/** A payment or a refund changes the card in its own commit. `card` has the next version, so that of two simultaneous changes one fails. */
export const giftCardChanged = moment<{ readonly card: GiftCard }>("gift_card.changed")

export const giftCards = tableOf(GiftCard, {
  name: "gift_cards",
  account: "merchant_id",
  fixed: ["currency", "last4", "code_hash"]
})

// ---------------------------------------------------------------------------------- requests

export const IssueGiftCardRequest = Schema.Struct({ currency: Currency }).annotate({
  identifier: "IssueGiftCardRequest",
  examples: [{ currency: "USD" }]
})
export type IssueGiftCardRequest = typeof IssueGiftCardRequest.Type

export const LoadGiftCardRequest = Schema.Struct({ ...requiredKey, amount: Amount })
  .annotate({ identifier: "LoadGiftCardRequest", examples: [{ idempotency_key: "9f2f6a34-0d1c-4b4e-9a59-3e1d7c0b6f22", amount: 2_500 }] })
export type LoadGiftCardRequest = typeof LoadGiftCardRequest.Type

export const RedeemGiftCardRequest = Schema.Struct({
  ...requiredKey,
  code: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(64)).annotate({
    description: "The customer's code; dashes, spaces and small letters do not matter"
  }),
  amount: Schema.optionalKey(
    Amount.annotate({ description: "Minor units; without it the amount of the payment, or all that the card has" })
  ),
  payment_intent_id: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The payment that is paid by it, whole: one that is `created`, in the currency of the card. Without it the money is simply " +
        "available to you"
    })
  )
}).annotate({
  identifier: "RedeemGiftCardRequest",
  examples: [{ idempotency_key: "e1c7b0d4-7a3b-4f6d-b2c8-5d9a1f0e3c23", code: "K7XW-93QD-PB4T-7Q2M", amount: 1_000 }]
})
export type RedeemGiftCardRequest = typeof RedeemGiftCardRequest.Type

/** The filters of a list. */
export const giftCardFilters = { status: Schema.optionalKey(GiftCardStatus), currency: Schema.optionalKey(Currency) }
