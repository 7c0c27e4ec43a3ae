/**
 * The wire protocol of the remote simulator: JSON over POST, one path for each operation. Both sides decode with these schemas, because
 * neither side trusts the other.
 *
 * The status of an answer:
 *
 * | status | meaning |
 * |---|---|
 * | 200 | answered |
 * | 503 | refused before the call was read: nothing happened |
 * | 409 | the key belongs to another call |
 * | 410 | the key is closed, because a lookup was answered that no call with this key will ever happen |
 * | any other | the outcome is unknown: ask with a lookup |
 */
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { Schema } from "effect"
import { DeclineCode, RailName } from "./model.ts"
import type { RailAnswer, RailKnowledge, RailRequest } from "./model.ts"
import type { RailConfirmation, RailFollowUp } from "./rail.ts"
import { StatementType } from "./statement.ts"

export const paths = {
  authorize: "/authorize",
  capture: "/capture",
  refund: "/refund",
  void: "/void",
  lookup: "/lookup",
  lookup_follow_up: "/lookup_follow_up"
} as const
export type RemoteOperation = keyof typeof paths

export const followUps = ["capture", "refund", "void"] as const
export type FollowUpOperation = typeof followUps[number]

/** The largest body that the provider and the rail accept from each other, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024

const Text = Schema.String.check(Schema.isBetweenLength(1, 255))

const Request: Schema.Codec<RailRequest> = Schema.Struct({
  key: IdempotencyKey,
  merchant: Schema.optionalKey(Text),
  amount: Amount,
  currency: Text,
  token: Text,
  capture: Schema.Boolean,
  metadata: Schema.Record(Schema.String, Schema.String),
  attempted_at: SafeAmount,
  risk_cleared: Schema.Boolean
})

const FollowUp: Schema.Codec<RailFollowUp> = Schema.Struct({ key: IdempotencyKey, reference: Text, amount: SafeAmount, currency: Text })

const answers = [
  Schema.TaggedStruct("Approved", { reference: Text, amount: Amount, captured: Schema.Boolean }),
  Schema.TaggedStruct("Declined", { code: DeclineCode }),
  Schema.TaggedStruct("Blocked", {}),
  Schema.TaggedStruct("RequiresAction", { reference: Text, url: Schema.String.check(Schema.isMaxLength(2_000)) }),
  Schema.TaggedStruct("Accepted", { reference: Text })
] as const

export const Answer: Schema.Codec<RailAnswer> = Schema.Union(answers)

export const Knowledge: Schema.Codec<RailKnowledge> = Schema.Union([
  ...answers,
  Schema.TaggedStruct("Unknown", {}),
  Schema.TaggedStruct("Undecided", {})
])

export const Confirmation: Schema.Codec<RailConfirmation> = Schema.Union([
  Schema.TaggedStruct("Done", { reference: Text }),
  Schema.TaggedStruct("Refused", { reason: Schema.String.check(Schema.isMaxLength(500)) })
])

/** Null if the provider never received the call. */
export const FoundConfirmation: Schema.Codec<RailConfirmation | null> = Schema.NullOr(Confirmation)

/** Body of `/authorize`. */
export const AuthorizeCall = Schema.Struct({ rail: RailName, request: Request })
/** Body of `/capture`, `/refund`, `/void` and `/lookup_follow_up`. */
export const FollowUpCall = Schema.Struct({ rail: RailName, call: FollowUp })
/** Body of `/lookup`. */
export const LookupCall = Schema.Struct({ rail: RailName, request: Request, reference: Schema.NullOr(Text) })

/** The path for a part of a statement. A request for it changes nothing and can be repeated. */
export const STATEMENT_PATH = "/statement"

/** The largest number of lines in one part of a statement. */
export const STATEMENT_LINES = 100

/** Body of `/statement`. Times are Unix milliseconds; `after` is the number of lines that the caller already has. */
export const StatementCall = Schema.Struct({ rail: RailName, merchant: Text, from: SafeAmount, to: SafeAmount, after: SafeAmount })
/** The next lines. A part with fewer than {@link STATEMENT_LINES} lines is the last one. */
export const StatementPart = Schema.Array(
  Schema.Struct({ type: StatementType, provider_reference: Text, amount: Amount, currency: Text, at: SafeAmount })
)
