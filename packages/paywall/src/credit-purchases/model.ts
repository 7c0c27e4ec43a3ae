/** A purchase of credits or of a plan: paid to the installation's own merchant account, and then granted to the account that bought. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { SoldPlanName } from "@svc/metering/account-plans/model"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { PermitAuthorization, Signature, TransferAuthorization } from "../payment/model.ts"

export const CreditPurchaseId = idSchema("cpur", "CreditPurchaseId")
export type CreditPurchaseId = typeof CreditPurchaseId.Type

export const creditPurchaseStates = ["open", "paid", "failed", "expired"] as const
export const CreditPurchaseState = Schema.Literals(creditPurchaseStates).annotate({ identifier: "CreditPurchaseState" })
export type CreditPurchaseState = typeof CreditPurchaseState.Type

/** The timer of a purchase: it expires, or a charge that nobody finished is finished. */
export const DUE = "credit_purchase.due"

/** US cents that a request may buy credits for. A page that belongs to a call sells what the call costs. */
export const LEAST = 100
export const MOST = 100_000

/** What a charge is made with. */
export const PaymentMeans = Schema.Union([
  /** A token of the simulator of cards. */
  Schema.Struct({ kind: Schema.Literal("card"), token: Schema.String }),
  /** What a wallet has signed: it can be carried out once, however often it is sent. */
  Schema.Struct({
    kind: Schema.Literal("stablecoin"),
    protocol: Schema.Literals(["mpp", "x402-v1", "x402-v2"]),
    signed: Schema.Union([
      Schema.Struct({ scheme: Schema.Literal("exact"), authorization: TransferAuthorization }),
      Schema.Struct({ scheme: Schema.Literal("upto"), authorization: PermitAuthorization })
    ]),
    signature: Signature
  })
])
export type PaymentMeans = typeof PaymentMeans.Type

/** A charge that has begun and of which nothing is known yet. */
const OpenCharge = Schema.Struct({ number: Schema.Int, means: PaymentMeans, final: Schema.Boolean })
export type OpenCharge = typeof OpenCharge.Type

/** Row and wire in one declaration. */
export const CreditPurchase = resource({
  id: CreditPurchaseId,
  account_id: Schema.String,
  /** US cents. */
  amount: SafeAmount,
  currency: Schema.Literal("USD"),
  /** Null where credits are bought. */
  plan: Schema.NullOr(SoldPlanName),
  /** The tool whose call asked for it. */
  tool: Schema.NullOr(Schema.String),
  pays_for: Model.Sensitive(Schema.NullOr(Schema.String)),
  state: CreditPurchaseState,
  charge: Model.Sensitive(Schema.NullOr(OpenCharge)),
  /** How often it was charged. */
  charges: Schema.Int,
  /** Of the installation's own merchant account. */
  payment_intent_id: Schema.NullOr(Schema.String),
  credit_grant_id: Schema.NullOr(Schema.String),
  failure_reason: Schema.NullOr(Schema.String),
  expires_at: Timestamp,
  paid_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type CreditPurchase = typeof CreditPurchase.Type

export const CreditPurchaseJson = Schema.Struct({
  ...CreditPurchase.json.fields,
  processing: Schema.Boolean.annotate({
    description: "Somebody has paid, and it is not known yet whether the money came. Read it again after a moment"
  }),
  payment_url: Schema.NullOr(Schema.String).annotate({
    description: "A page where a person pays it, while it is open. Whoever has the address may pay"
  })
}).annotate({
  identifier: "CreditPurchase",
  description: "Credits or a plan, paid to the installation. `amount` is US cents. Paid, it has become a grant of credits."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("cpur"),
    account_id: exampleId("acct"),
    amount: 500,
    currency: "USD",
    plan: null,
    tool: null,
    state: "paid",
    charges: 1,
    payment_intent_id: exampleId("pi"),
    credit_grant_id: exampleId("cg"),
    failure_reason: null,
    expires_at: EXAMPLE_TIME,
    paid_at: EXAMPLE_TIME,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2,
    processing: false,
    payment_url: null
  }]
}))
export type CreditPurchaseJson = typeof CreditPurchaseJson.Type

export const creditPurchases = tableOf(CreditPurchase, {
  name: "credit_purchases",
  account: "account_id",
  fixed: ["amount", "currency", "plan", "tool", "pays_for"]
})

// ---------------------------------------------------------------------------------- requests

const TOKEN = /^(?:tok_[a-z_]{1,40}|spt_[\x21-\x7e]{1,200})$/u

export const BuyCreditsRequest = Schema.Struct({
  amount: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: LEAST, maximum: MOST })).annotate({
      description: `US cents to buy credits for, ${LEAST} to ${MOST}. A cent is ten credits. Either this or \`plan\``
    })
  ),
  plan: Schema.optionalKey(SoldPlanName.annotate({ description: "A plan to buy: starter or growth for a month, pro once for all" })),
  payment_method_id: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(TOKEN, {
      message: "must be a simulator token such as tok_visa, or a shared token such as spt_test_1"
    })).annotate({
      description:
        "In sandbox, what to charge at once: a simulator token such as `tok_visa`, or a shared payment token `spt_test_…`. Without it the purchase waits for its page to be paid"
    })
  ),
  idempotency_key: Schema.optionalKey(IdempotencyKey)
}).annotate({
  identifier: "BuyCreditsRequest",
  examples: [{ amount: 500, payment_method_id: "tok_visa", idempotency_key: "0d9f3c52-6f1c-4f6e-9a5e-6f5f0f1f7a31" }]
})
export type BuyCreditsRequest = typeof BuyCreditsRequest.Type
