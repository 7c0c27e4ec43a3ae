/**
 * Why a call of a tool has no result, for callers that know the tools' types. Each class has a `code` that a program switches on, a
 * `message`, and whether the same call may go better as it is (`retryable`). Beside these stand the tool's own errors.
 */
import { Schema } from "effect"
import { NotConfigured } from "../backend.ts"

const commonFields = <const Codes extends ReadonlyArray<string>>(...codes: Codes) => ({
  /** Where it is in capital letters, one of GET /v1/error-codes. */
  code: Schema.Literals(codes),
  message: Schema.String,
  retryable: Schema.Boolean
})

/** Seconds after which the same call may come again. */
const retry_after = Schema.optionalKey(Schema.Finite)

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

const demandFields = <const Code extends string>(code: Code) => ({
  ...commonFields(code),
  /** The body of the 402: `price`, `payment_url`, `checkout_url`, and what x402 and RFC 9457 have in it. */
  body: JsonObject,
  /** Challenges of the Payment scheme, of which one is to be answered. */
  challenges: Schema.Array(JsonObject)
})

/** The arguments do not fit the tool, or the tool is not known there. */
export class InvalidArguments extends Schema.TaggedError<InvalidArguments>()(
  "InvalidArguments",
  commonFields("INVALID_ARGUMENTS", "ARGUMENTS_TOO_LARGE", "UNKNOWN_TOOL")
) {}

/** The tool needs a key and none was sent, or the key is not a current one. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", commonFields("AUTH_REQUIRED", "INVALID_KEY")) {}

/** The account of the key may not do this as it stands. */
export class AccountNotActive extends Schema.TaggedError<AccountNotActive>()("AccountNotActive", commonFields("ACCOUNT_NOT_ACTIVE")) {}

/** The policy of the agent key does not allow this tool. */
export class ToolNotAllowed extends Schema.TaggedError<ToolNotAllowed>()("ToolNotAllowed", commonFields("AGENT_TOOL_NOT_ALLOWED")) {}

/** The policy of the agent key does not allow this payment, or a person has to approve it first. */
export class PaymentNotAllowed extends Schema.TaggedError<PaymentNotAllowed>()(
  "PaymentNotAllowed",
  commonFields("AGENT_CURRENCY_NOT_ALLOWED", "AGENT_PROVIDER_NOT_ALLOWED", "AGENT_AMOUNT_NOT_ALLOWED", "APPROVAL_REQUIRED")
) {}

/** The call would pass a budget of the agent key, or the one that the call itself names. */
export class BudgetExceeded extends Schema.TaggedError<BudgetExceeded>()("BudgetExceeded", {
  ...commonFields("AGENT_BUDGET_EXCEEDED"),
  period: Schema.optionalKey(Schema.String),
  limit_cents: Schema.optionalKey(Schema.Finite),
  left_cents: Schema.optionalKey(Schema.Finite)
}) {}

/** Too many calls, or more than the account's plan gives. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...commonFields("RATE_LIMITED", "QUOTA_EXCEEDED"),
  retry_after
}) {}

/** The idempotency key stands for another call, or its first call still runs. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  ...commonFields("IDEMPOTENCY_CONFLICT"),
  retry_after
}) {}

/** This very call is paid for already. */
export class PossibleDuplicate extends Schema.TaggedError<PossibleDuplicate>()("PossibleDuplicate", {
  ...commonFields("POSSIBLE_DUPLICATE"),
  /** Where the state of the paid call is read. */
  status_url: Schema.optionalKey(Schema.String)
}) {}

/** Something failed at the tool server. What was paid for is answered when the call is sent again as it was. */
export class ToolServerFailed extends Schema.TaggedError<ToolServerFailed>()("ToolServerFailed", {
  ...commonFields("INTERNAL"),
  retry_after
}) {}

/** The tool ran longer than it may, and was given up. */
export class ToolTimedOut extends Schema.TaggedError<ToolTimedOut>()("ToolTimedOut", commonFields("timed_out")) {}

/** The call is paid for when it is made. */
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("PaymentRequired", demandFields("PAYMENT_REQUIRED")) {}

/** The account's credits do not reach; the call can be paid for as it is made, too. */
export class CreditsExhausted extends Schema.TaggedError<CreditsExhausted>()("CreditsExhausted", demandFields("CREDITS_EXHAUSTED")) {}

/** The account's plan leaves this work out; what the challenges name is sold instead. */
export class PlanRequired extends Schema.TaggedError<PlanRequired>()("PlanRequired", demandFields("TIER_REQUIRED")) {}

/** What it was paid with may have arrived or not. `status_url` tells later, and so does the same call; do not pay again. */
export class CallPending extends Schema.TaggedError<CallPending>()("CallPending", {
  ...commonFields("payment_pending"),
  call_id: Schema.String,
  status_url: Schema.String
}) {}

/** Whichever tool is called. */
export const callErrors = [
  NotConfigured,
  InvalidArguments,
  KeyRefused,
  AccountNotActive,
  ToolNotAllowed,
  PaymentNotAllowed,
  BudgetExceeded,
  RateLimited,
  IdempotencyConflict,
  PossibleDuplicate,
  ToolServerFailed,
  ToolTimedOut,
  PaymentRequired,
  CreditsExhausted,
  PlanRequired,
  CallPending
] as const

export type CallError = typeof callErrors[number]["Type"]
