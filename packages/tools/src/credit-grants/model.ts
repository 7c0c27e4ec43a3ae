/** Credits that were bought or given: they pay for calls when the month's allowance is used up, the oldest first, until they expire. */
import { columnsOf } from "@svc/kernel/database/rows"
import { idSchema } from "@svc/kernel/ids"
import { SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const CreditGrantId = idSchema("cg", "CreditGrantId")
export type CreditGrantId = typeof CreditGrantId.Type

export class CreditGrant extends Model.Class<CreditGrant>("CreditGrant")({
  id: CreditGrantId,
  account_id: Schema.String,
  /** US cents. What is left of it, the counter of this name tells. */
  cents: SafeAmount,
  source: Schema.Literals(["purchase", "referral", "operator"]),
  /** What it was paid with, for a purchase. */
  payment_intent_id: Schema.NullOr(Schema.String),
  expires_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

export const creditGrants: Table = { name: "credit_grants", account: "account_id", columns: columnsOf(CreditGrant), changes: ["updated_at", "version"] }
