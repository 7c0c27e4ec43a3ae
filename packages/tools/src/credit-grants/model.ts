/** Credits that were bought or given: they pay for calls when the free month's allowance is used up, what expires first before the rest. */
import { encoderOf } from "@svc/kernel/database/encoded"
import { columnsOf } from "@svc/kernel/database/rows"
import { idSchema } from "@svc/kernel/ids"
import { SafeAmount } from "@svc/kernel/money"
import type { Table } from "@svc/kernel/road/decision"
import { Timestamp } from "@svc/kernel/time"
import { Effect, Schema } from "effect"
import { Model } from "effect/schema"
import { hash } from "node:crypto"

export const CreditGrantId = idSchema("cg", "CreditGrantId")
export type CreditGrantId = typeof CreditGrantId.Type

const nobody = Schema.NullOr(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed(null)))

export class CreditGrant extends Model.Class<CreditGrant>("CreditGrant")({
  id: CreditGrantId,
  account_id: Schema.String,
  /** US cents. What is left of it, the counter of this name tells. */
  cents: SafeAmount,
  source: Schema.Literals(["purchase", "plan", "referral", "operator"]),
  /** What it was paid with, for a purchase. */
  payment_intent_id: Schema.NullOr(Schema.String),
  /** The purchase that it comes from, also for the later months of a plan. */
  purchase_id: nobody,
  /** The call that it was bought for, as `callKeyOf` names it: others use it last. */
  pays_for: nobody,
  expires_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

export const creditGrants: Table = { name: "credit_grants", account: "account_id", columns: columnsOf(CreditGrant), changes: ["updated_at", "version"] }

export const encode = encoderOf(CreditGrant)

/** A call as a grant can be bought for it: the same tool, mode and arguments. Short, since it stands in an address. */
export const callKeyOf = ({ arguments_sha256, mode, tool }: { readonly tool: string; readonly mode: string; readonly arguments_sha256: string }): string =>
  hash("sha256", `${tool}\n${mode}\n${arguments_sha256}`, "base64url").slice(0, 22)
