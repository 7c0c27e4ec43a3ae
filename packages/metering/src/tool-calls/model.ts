/** A call that costs something: reserved before a run outside, settled by what was delivered. Free calls leave a count, and no row. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { SafeAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { type Cents, modes } from "@svc/tool-kit/call"
import { Schema } from "effect"
import { Model } from "effect/schema"
import type { CreditGrant } from "../credit-grants/model.ts"
import type { Tier } from "../plans/model.ts"

export const ToolCallId = idSchema("call", "ToolCallId")
export type ToolCallId = typeof ToolCallId.Type

/** `pending`: whether the payment arrived is not known yet. */
export const toolCallStates = ["reserved", "pending", "settled", "released"] as const
export const ToolCallState = Schema.Literals(toolCallStates).annotate({ identifier: "ToolCallState" })
export type ToolCallState = typeof ToolCallState.Type

export const PaidBy = Schema.Literals(["free", "credits", "referral", "card", "stablecoin"]).annotate({ identifier: "PaidBy" })
export type PaidBy = typeof PaidBy.Type

/** The timer of a call that was reserved: whoever ran it is gone when it fires. */
export const ABANDONED = "tool_call.abandoned"

/** The timer of a call that is paid when it is made: somebody has to finish it, or to undo it. */
export const UNFINISHED = "tool_call.unfinished"

/** Room that the call takes in one counter: of credits, or of a budget. */
export const CallShare = Schema.Struct({
  name: Schema.Literals(["credits", "agent_budget", "asked_budget", "free_call"]),
  key: Schema.String,
  period: Schema.Literals(["hour", "day", "month", "life"]),
  /** When the window began; the epoch for `life`. */
  start: Timestamp,
  /** Of a free call: how many calls, which is one. */
  cents: Schema.Int,
  /** What the counter may hold at most. */
  at_most: Schema.Int
})
export type CallShare = typeof CallShare.Type

/** What the month's allowance is counted under. */
export const ALLOWANCE = "allowance"

/** What of credits is left, in the order in which it is spent. */
export interface CreditBalance {
  readonly tier: Tier
  /** Of this month's allowance; nothing where a plan that was bought gives its credits as grants. */
  readonly allowance: { readonly left: Cents; readonly of: Cents }
  /** Credits that were bought or given; those that expire first are spent first. */
  readonly grants: ReadonlyArray<{
    readonly id: string
    readonly left: Cents
    readonly of: Cents
    readonly source: CreditGrant["source"]
    readonly pays_for: string | null
    readonly expires_at: string | null
  }>
}

/** Row and wire in one declaration. */
export const ToolCall = resource({
  id: ToolCallId,
  account_id: Schema.String,
  agent_key_id: Schema.NullOr(Schema.String),
  tool: Schema.String,
  mode: Schema.Literals(modes),
  /** SHA-256 of the canonical JSON of name and arguments. */
  arguments_sha256: Schema.String,
  /** US cents: quoted while it is reserved, charged once it is settled. */
  price: SafeAmount,
  paid_by: PaidBy,
  state: ToolCallState,
  /** What it takes of which counter. */
  shares: Model.Sensitive(Schema.Array(CallShare)),
  result_sha256: Schema.NullOr(Schema.String).annotate({
    description: "SHA-256 of the result as JSON, as `structuredContent` holds it; null while there is none"
  }),
  /** What the payer was told, for a call paid by 402. */
  receipt: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp),
  updated_at: Timestamp,
  version: Schema.Int
})
export type ToolCall = typeof ToolCall.Type

export const ToolCallJson = ToolCall.json.annotate({
  identifier: "ToolCall",
  description: "A call of a tool that cost something. `price` is US cents."
})
  .pipe(Schema.annotateEncoded({
    examples: [{
      id: exampleId("call"),
      account_id: exampleId("acct"),
      agent_key_id: null,
      tool: "svc_web_search",
      mode: "standard",
      arguments_sha256: "0".repeat(64),
      price: 1,
      paid_by: "credits",
      state: "settled",
      result_sha256: "0".repeat(64),
      receipt: null,
      error: null,
      created_at: EXAMPLE_TIME,
      finished_at: EXAMPLE_TIME,
      updated_at: EXAMPLE_TIME,
      version: 1
    }]
  }))

export const toolCalls = tableOf(ToolCall, {
  name: "tool_calls",
  account: "account_id",
  fixed: ["agent_key_id", "tool", "mode", "arguments_sha256"]
})

/**
 * The account's credits do not pay for the call: neither this month's allowance nor what was bought. The gate asks another payer, and
 * callers are told of it as `CreditsExhausted`.
 */
export class InsufficientCredits extends Schema.TaggedError<InsufficientCredits>()("InsufficientCredits", { message: Schema.String }) {}

/** The call would pass a budget of the agent key, or of one that it was cut from. Callers are told of it as `BudgetExceeded`. */
export class CallBudgetExceeded extends Schema.TaggedError<CallBudgetExceeded>()("CallBudgetExceeded", {
  message: Schema.String,
  /** Whose budget: the account gave it to the agent key, or the caller itself named it for the request. */
  budget: Schema.Literals(["agent_key", "x_agent_budget"]),
  key: Schema.String,
  period: Schema.Literals(["hour", "day", "month", "life"]),
  limit: Schema.Int,
  left: Schema.Int
}) {}
