/** Rails: the connections to payment providers. One `Rail` is one connection to one provider. */
import { Schema } from "effect"

/** The name of a rail, such as `card_a`, chosen by the installation. Each attempt stores the name, so a rail must keep its name. */
export const RailName = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,39}$/u, { message: "must be the name of a rail: lower-case letters, digits and underscores" })
).annotate({ identifier: "RailName", examples: ["card_a"] })
export type RailName = typeof RailName.Type

export const declineCodes = [
  "generic_decline",
  "insufficient_funds",
  "lost_card",
  "stolen_card",
  "expired_card",
  "incorrect_cvc",
  "processing_error",
  "do_not_honor",
  "card_velocity_exceeded",
  "fraudulent",
  "authentication_required",
  "currency_not_supported",
  "card_not_supported"
] as const
export const DeclineCode = Schema.Literals(declineCodes).annotate({ identifier: "DeclineCode" })
export type DeclineCode = typeof DeclineCode.Type

/** The declines after which another rail may be tried. Any other decline ends the payment intent. */
export const retryableElsewhere: ReadonlySet<DeclineCode> = new Set<DeclineCode>(["processing_error", "do_not_honor", "generic_decline"])

/** The request for an authorization. */
export interface RailRequest {
  /** The provider's idempotency key, derived from the attempt: repeated calls with it have one effect. */
  readonly key: string
  /** The account that is paid. The provider's statement lists payments by it. */
  readonly merchant?: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  /** The provider's token of the payment method. */
  readonly token: string
  /** Whether the money is captured at once instead of held. */
  readonly capture: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** When the attempt was made first, Unix milliseconds. */
  readonly attempted_at: number
  /** Whether the caller says that this token has already passed the provider's fraud rule. */
  readonly risk_cleared: boolean
}

/** The answer of a rail. */
export type RailAnswer =
  | { readonly _tag: "Approved"; readonly reference: string; readonly amount: number; readonly captured: boolean }
  | { readonly _tag: "Declined"; readonly code: DeclineCode }
  /** The provider's fraud rule stopped the payment. A reviewer may approve the payment. */
  | { readonly _tag: "Blocked" }
  /** The customer must do something, such as a 3DS step. */
  | { readonly _tag: "RequiresAction"; readonly reference: string; readonly url: string }
  /** The provider accepted the payment and confirms it later. */
  | { readonly _tag: "Accepted"; readonly reference: string }

/** The provider's answer about an earlier call. */
export type RailKnowledge =
  | RailAnswer
  /** The provider never received the call, and never will. */
  | { readonly _tag: "Unknown" }
  /** The provider has not decided yet: ask again. */
  | { readonly _tag: "Undecided" }

/** The call did not reach the provider. Nothing happened at the provider, so another rail may be tried. */
export class RailUnreachable extends Schema.TaggedError<RailUnreachable>()("RailUnreachable", {
  rail: RailName,
  message: Schema.String
}) {}

/** The call was sent and no answer came: the payment may have happened. Only the provider knows. */
export class RailOutcomeUnknown extends Schema.TaggedError<RailOutcomeUnknown>()("RailOutcomeUnknown", {
  rail: RailName,
  message: Schema.String
}) {}

/** The log of one routing decision: each rule in order, then each rail with its score. */
export const RoutingLog = Schema.Struct({
  rules: Schema.Array(Schema.Struct({
    rule: Schema.String,
    matched: Schema.Boolean,
    /** The first condition that did not hold, or "all conditions hold". */
    reason: Schema.String
  })),
  candidates: Schema.Array(Schema.Struct({
    rail: RailName,
    /** 0 to 100. Rails are tried from the highest score down; a rail with 0 is not tried. */
    score: Schema.Int,
    reason: Schema.String
  }))
}).annotate({ identifier: "RoutingLog" })
export type RoutingLog = typeof RoutingLog.Type
