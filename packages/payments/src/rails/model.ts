/** Rails: the ways money moves. One `Rail` is one connection to a provider. */
import { Schema } from "effect"

/** What a rail is called: whatever the installation provides, such as `card_a`. Stored with each attempt, so a rail keeps its name. */
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

/** Declines after which another rail may be tried. The rest end the intent. */
export const retryableElsewhere: ReadonlySet<DeclineCode> = new Set<DeclineCode>(["processing_error", "do_not_honor", "generic_decline"])

/** What a rail is asked to authorize. */
export interface RailRequest {
  /** The provider's idempotency key, derived from the attempt: the same call twice is one effect. */
  readonly key: string
  /** The account that is paid, by which the provider's statement finds its payments. */
  readonly merchant?: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  /** The provider's token of the payment method. */
  readonly token: string
  /** Take the money at once instead of holding it. */
  readonly capture: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** When the attempt was first made, epoch milliseconds. */
  readonly attempted_at: number
  /** Whether the caller says this token already passed the provider's fraud rule. */
  readonly risk_cleared: boolean
}

/** What a rail answers. */
export type RailAnswer =
  | { readonly _tag: "Approved"; readonly reference: string; readonly amount: number; readonly captured: boolean }
  | { readonly _tag: "Declined"; readonly code: DeclineCode }
  /** The provider's fraud rule stopped it; a reviewer may let it pass. */
  | { readonly _tag: "Blocked" }
  /** The customer must do something, such as a 3DS step. */
  | { readonly _tag: "RequiresAction"; readonly reference: string; readonly url: string }
  /** Accepted, and settled later by confirmations on the rail. */
  | { readonly _tag: "Accepted"; readonly reference: string }

/** What a rail knows of an earlier call. */
export type RailKnowledge =
  | RailAnswer
  /** The provider never received the call, and never will. */
  | { readonly _tag: "Unknown" }
  /** Not decided yet; ask again. */
  | { readonly _tag: "Undecided" }

/** The call did not reach the provider: nothing happened there, another rail may be tried. */
export class RailUnreachable extends Schema.TaggedError<RailUnreachable>()("RailUnreachable", {
  rail: RailName,
  message: Schema.String
}) {}

/** The call was sent and no answer came: it may have happened. Only the provider can tell. */
export class RailOutcomeUnknown extends Schema.TaggedError<RailOutcomeUnknown>()("RailOutcomeUnknown", {
  rail: RailName,
  message: Schema.String
}) {}

/** The decision log of one routing: each rule in order, then each rail with its score. */
export const RoutingLog = Schema.Struct({
  rules: Schema.Array(Schema.Struct({
    rule: Schema.String,
    matched: Schema.Boolean,
    /** The first condition that did not hold, or "all conditions hold". */
    reason: Schema.String
  })),
  candidates: Schema.Array(Schema.Struct({
    rail: RailName,
    /** 0 to 100; rails are tried from the highest down. 0 is not eligible. */
    score: Schema.Int,
    reason: Schema.String
  }))
}).annotate({ identifier: "RoutingLog" })
export type RoutingLog = typeof RoutingLog.Type
