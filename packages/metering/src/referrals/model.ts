/** A referral: an account that came by another one's token. It earns the other one credits when it first pays for a call. */
import { resource, tableOf } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const ReferralId = idSchema("rfl", "ReferralId")
export type ReferralId = typeof ReferralId.Type

export const Referral = resource({
  id: ReferralId,
  /** The account that referred. */
  account_id: Schema.String,
  referred_account_id: Schema.String,
  /** US cents that it earned the one who referred; zero until the other has paid for a call. */
  earned_cents: SafeAmount,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Referral = typeof Referral.Type

export const referrals = tableOf(Referral, {
  name: "referrals",
  account: "account_id",
  fixed: ["referred_account_id"]
})

/** US cents for each account that came and has paid so much. */
export const REWARD = 100

/**
 * US cents that an account which came has to have paid, for calls and credits, before it earns anything: more than it earns, milestones
 * included, so that nobody gains by sending accounts of their own.
 */
export const EARNED_AFTER = 250

/** Calls that an account which came by a token has free. */
export const FREE_CALLS = 1

/** A free call costs at most so many US cents otherwise. */
export const FREE_CALL_UP_TO = 10

/** US cents besides, when so many of them have paid. */
export const milestones = [{ at: 5, cents: 500 }, { at: 25, cents: 2_500 }, { at: 100, cents: 10_000 }] as const

export const ReferralStatus = Schema.Struct({
  referral_token: Schema.String,
  joined: Schema.Natural,
  paying: Schema.Natural,
  earned_cents: Schema.Natural,
  earned_credits: Schema.Natural,
  milestones: Schema.Array(Schema.Struct({ at: Schema.Natural, cents: Schema.Natural, reached: Schema.Boolean })),
  /** Of the account itself, if it came by somebody's token. */
  free_calls: Schema.Struct({ granted: Schema.Natural, used: Schema.Natural, remaining: Schema.Natural, up_to_cents: Schema.Natural })
}).annotate({ identifier: "ReferralStatus" })
export type ReferralStatus = typeof ReferralStatus.Type
