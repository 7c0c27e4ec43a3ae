/** The payout: available money on its way to the account's own bank. */
import { AccountId } from "@svc/accounts/accounts/model"
import { keyOnlyRequest, requiredKey } from "@svc/kernel/resource/api"
import { exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { createdBetween } from "@svc/kernel/resource/pages"
import type { SumsOfCurrency } from "@svc/kernel/resource/sums"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, MAX_AMOUNT, SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { TransferInstrumentId } from "../transfer-instruments/model.ts"

export const PayoutId = idSchema("po", "PayoutId")
export type PayoutId = typeof PayoutId.Type

export const payoutStatuses = ["pending", "processing", "completed", "failed", "cancelled"] as const
export const PayoutStatus = Schema.Literals(payoutStatuses).annotate({ identifier: "PayoutStatus" })
export type PayoutStatus = typeof PayoutStatus.Type

/** The counter of payouts by hand, where a limit adds them up: one for each currency. */
export const BY_HAND = "payouts_by_hand"

/** The timer of a payout: its next step. */
export const DUE = "payout.due"
/** The timer of an account's schedule. Its resource is the currency. */
export const SCHEDULE = "payout.schedule"

/** The smallest payout, in minor units. */
export const LEAST = 100

/** Minutes in which one that was made can be cancelled. Then it is submitted to the bank. */
export const SUBMIT_MINUTES = 60

/** Row and wire in one declaration. */
export const Payout = resource({
  id: PayoutId,
  merchant_id: AccountId,
  /** Minor units: what the bank account receives. */
  amount: Amount,
  currency: Currency,
  status: PayoutStatus,
  destination_id: TransferInstrumentId.annotate({ description: "The transfer instrument it goes to" }),
  /** Minor units: what the account paid for it besides. Given back when it is cancelled or the bank refuses it. */
  fee_amount: SafeAmount,
  automatic: Schema.Boolean.annotate({ description: "Whether the account's schedule made it" }),
  /** When it is submitted to the bank; until then it can be cancelled. */
  submit_at: Timestamp,
  failure_reason: Schema.NullOr(Schema.String).annotate({
    description: "Why it failed or was stopped; `returned` when the bank sent the money back after it had arrived"
  }),
  completed_at: Schema.NullOr(Timestamp),
  ...versioned
})
export type Payout = typeof Payout.Type

export const PayoutJson = Payout.json.annotate({
  identifier: "Payout",
  description:
    "Available money on its way to the account's own bank. Amounts are minor units of `currency`; while it is on its way they are " +
    "`reserved`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("po"),
    merchant_id: exampleId("acct"),
    amount: 150_000,
    currency: "EUR",
    status: "pending",
    destination_id: exampleId("ti"),
    fee_amount: 0,
    automatic: false,
    submit_at: "2026-01-01T13:00:00.000Z",
    failure_reason: null,
    completed_at: null,
    ...exampleVersion
  }]
}))

export const payouts = tableOf(Payout, {
  name: "payouts",
  account: "merchant_id",
  fixed: ["amount", "currency", "destination_id", "fee_amount", "automatic", "submit_at"]
})

// ---------------------------------------------------------------------------------- requests

const PayoutAmount = Amount.check(
  Schema.isBetween({ minimum: LEAST, maximum: MAX_AMOUNT }, {
    message: `Expected a whole number of minor units from ${LEAST} to ${MAX_AMOUNT}, for example 1250 for 12.50 USD`
  })
)

export const CreatePayoutRequest = Schema.Struct({
  ...requiredKey,
  amount: PayoutAmount.annotate({ description: `Minor units, at least ${LEAST}` }),
  currency: Currency,
  destination_id: Schema.String.annotate({ description: "A transfer instrument that is active, in the same currency" })
}).annotate({
  identifier: "CreatePayoutRequest",
  examples: [{ amount: 1_500, currency: "USD", destination_id: exampleId("ti"), idempotency_key: "9d1a4c0e-5b7f-4d0c-8a37-2f6b1c9e7d06" }]
})
export type CreatePayoutRequest = typeof CreatePayoutRequest.Type

export const CancelPayoutRequest = keyOnlyRequest("CancelPayoutRequest", "4be0f5c1-93c8-4f1b-b1e0-7a2d3f5c8b07")
export type CancelPayoutRequest = typeof CancelPayoutRequest.Type

/** What a list may be narrowed to. */
export const payoutFilters = {
  status: Schema.optionalKey(PayoutStatus),
  currency: Schema.optionalKey(Currency),
  destination_id: Schema.optionalKey(Schema.String),
  ...createdBetween
}
/** What is added up of a list. */
export const payoutSums = ["amount", "fee_amount"] as const
export type PayoutSums = ReadonlyArray<SumsOfCurrency<(typeof payoutSums)[number]>>

export type PayoutFilter = Schema.Struct.Type<typeof payoutFilters>
