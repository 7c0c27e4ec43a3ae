/** Credits that were bought or given: they pay for calls when the free month's allowance is used up, what expires first before the rest. */
import { resource, tableOf } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { hash } from "node:crypto"

export const CreditGrantId = idSchema("cg", "CreditGrantId")
export type CreditGrantId = typeof CreditGrantId.Type

export const CreditGrant = resource({
  id: CreditGrantId,
  account_id: Schema.String,
  /** US cents. What is left of it, the counter of this name tells. */
  cents: SafeAmount,
  source: Schema.Literals(["purchase", "plan", "referral", "operator"]),
  /** What it was paid with, for a purchase. */
  payment_intent_id: Schema.NullOr(Schema.String),
  /** The purchase that it comes from, also for the later months of a plan. */
  purchase_id: Schema.NullOr(Schema.String),
  /** The call that it was bought for, as `callKeyOf` names it: others use it last. */
  pays_for: Schema.NullOr(Schema.String),
  expires_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type CreditGrant = typeof CreditGrant.Type

export const creditGrants = tableOf(CreditGrant, {
  name: "credit_grants",
  account: "account_id",
  fixed: ["cents", "source", "payment_intent_id", "purchase_id", "pays_for", "expires_at"]
})

/** A call as a grant can be bought for it: the same tool, mode and arguments. Short, since it stands in an address. */
export const callKeyOf = (
  { arguments_sha256, mode, tool }: { readonly tool: string; readonly mode: string; readonly arguments_sha256: string }
): string => hash("sha256", `${tool}\n${mode}\n${arguments_sha256}`, "base64url").slice(0, 22)
