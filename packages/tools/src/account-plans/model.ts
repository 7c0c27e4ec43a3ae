/** A plan that an account bought: how long it lasts, and how many of its months have been given. */
import { AccountId } from "@svc/accounts/accounts/model"
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { idSchema } from "@svc/kernel/ids"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { soldPlans } from "../plans.ts"

export const AccountPlanId = idSchema("apl", "AccountPlanId")
export type AccountPlanId = typeof AccountPlanId.Type

/** The timer of a plan: its next month begins. */
export const MONTH = "account_plan.month"

export const SoldPlanName = Schema.Literals(soldPlans).annotate({ identifier: "SoldPlan" })

/** An account has one of each plan at most, which is begun anew when it is bought after its end. */
export class AccountPlan extends Model.Class<AccountPlan>("AccountPlan")({
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
}) {}

export const accountPlans: Table = {
  name: "account_plans",
  account: "account_id",
  columns: columnsOf(AccountPlan),
  changes: ["started_at", "months_granted", "months_paid", "ends_at", "purchase_id", "payment_intent_id", "updated_at", "version"]
}

export const decodeRow = Schema.decodeUnknownSync(AccountPlan)
export const encode = encoderOf(AccountPlan)
