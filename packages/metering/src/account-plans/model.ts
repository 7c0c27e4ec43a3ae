/** A plan that an account bought: how long it lasts, and how many of its months have been given. */
import { AccountId } from "@svc/accounts/accounts/model"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { soldPlans } from "../plans/model.ts"

export const AccountPlanId = idSchema("apl", "AccountPlanId")
export type AccountPlanId = typeof AccountPlanId.Type

/** The timer of a plan: its next month begins. */
export const MONTH = "account_plan.month"

export const SoldPlanName = Schema.Literals(soldPlans).annotate({ identifier: "SoldPlan" })

/** An account has one of each plan at most, which is begun anew when it is bought after its end. */
export const AccountPlan = resource({
  id: AccountPlanId,
  account_id: AccountId,
  plan: SoldPlanName,
  /** What its months are counted from. */
  started_at: Timestamp,
  /** Months whose credits were given. */
  months_granted: Schema.Int,
  /** Months that were paid for; null where it has no end. */
  months_paid: Schema.NullOr(Schema.Int),
  ends_at: Schema.NullOr(Timestamp),
  /** What it was last paid with. */
  purchase_id: Schema.String,
  payment_intent_id: Schema.String,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type AccountPlan = typeof AccountPlan.Type

export const accountPlans = tableOf(AccountPlan, {
  name: "account_plans",
  account: "account_id",
  fixed: ["plan"]
})
