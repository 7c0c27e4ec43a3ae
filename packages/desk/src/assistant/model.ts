/** What the assistant is asked and what it answers, and what it does and what came of it. */
import { Schema } from "effect"

/** What can be proposed to a reader, and done for them. */
export const actKinds = [
  "open_passthrough_payout_bank",
  "open_passthrough_business_verify",
  "open_onboarding_status",
  "accept_tos",
  "enable_go_live",
  "refresh_work_run",
  "create_passthrough_session",
  "apply_passthrough_prefill",
  "plaid_link_token",
  "plaid_exchange",
  "plaid_verify_payout",
  "plaid_processor_token"
] as const
export const ActKind = Schema.Literals(actKinds).annotate({ identifier: "AssistantActKind" })
export type ActKind = typeof ActKind.Type

export const ProposedAction = Schema.Struct({
  kind: ActKind,
  label: Schema.String,
  flow_kind: Schema.NullOr(Schema.String),
  passthrough_session_id: Schema.NullOr(Schema.String),
  path: Schema.NullOr(Schema.String).annotate({ description: "The page of the desk where a person does it" }),
  primary: Schema.Boolean,
  server_act: Schema.Boolean.annotate({ description: "Whether the act endpoint does it" })
}).annotate({ identifier: "ProposedAction" })
export type ProposedAction = typeof ProposedAction.Type

/** Letters of the longest question. */
const LONGEST = 1_000

export const AssistantAskRequest = Schema.Struct({
  question: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(LONGEST)).annotate({
    description: "In plain English. Ids such as pi_… and times such as last month are read"
  })
}).annotate({ identifier: "AssistantAskRequest", examples: [{ question: "Why was my last payment declined?" }] })
export type AssistantAskRequest = typeof AssistantAskRequest.Type

export const AssistantAskResponse = Schema.Struct({
  answer: Schema.String.annotate({ description: "With the rows and pages that it is from, by their ids and addresses" }),
  confidence: Schema.NullOr(Schema.Finite).annotate({
    description: "0 to 1: how much of the question's words, rare ones counting for more, are those of the answer's topic or page. " +
      "Below 0.35 the answer is that it does not know, and this is null. Null, too, where a language model wrote the answer"
  }),
  dashboard_path: Schema.NullOr(Schema.String).annotate({ description: "The page of the desk that shows it" }),
  next_step_id: Schema.NullOr(Schema.String).annotate({
    description: "The step of getting live that comes next, where the question is about that"
  }),
  passthrough_session_id: Schema.NullOr(Schema.String),
  referenced_topic: Schema.NullOr(Schema.String),
  work_run_id: Schema.NullOr(Schema.String),
  goal_progress_pct: Schema.NullOr(Schema.Int).annotate({ description: "Of the steps to live, how many are done, in percent" }),
  proposed_actions: Schema.Array(ProposedAction)
}).annotate({ identifier: "AssistantAskResponse" }).pipe(Schema.annotateEncoded({
  examples: [{
    answer:
      "USD 14.26 is pending and USD 0.00 is available. The next USD 14.26 is available on 3 January 2026 (set_01KDVK5D80000000000000000A).",
    confidence: 0.82,
    dashboard_path: "/desk/settlements",
    next_step_id: null,
    passthrough_session_id: null,
    referenced_topic: "available_money",
    work_run_id: null,
    goal_progress_pct: null,
    proposed_actions: []
  }]
}))
export type AssistantAskResponse = typeof AssistantAskResponse.Type

/** Parameters of an act, such as fields of a session. */
const Params = Schema.Record(
  Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,39}$/u, { message: "must be a name such as flow_kind" })),
  Schema.String.check(Schema.isMaxLength(500))
).check(Schema.isMaxProperties(20))

export const AssistantActRequest = Schema.Struct({
  action: ActKind,
  params: Schema.optionalKey(Params.annotate({ description: "What the act needs to know, by name. Values are texts" }))
}).annotate({ identifier: "AssistantActRequest", examples: [{ action: "open_onboarding_status" }] })
export type AssistantActRequest = typeof AssistantActRequest.Type

export const AssistantActResponse = Schema.Struct({
  action: ActKind,
  status: Schema.Literals(["completed", "needs_approval", "failed"]),
  message: Schema.NullOr(Schema.String).annotate({ description: "Who has to approve it, or why it failed, in the words of the route" }),
  result: Schema.Record(Schema.String, Schema.String).annotate({
    description:
      "What came of it. Of what waits for approval `approval_id`, `waits_for` and `seen_at`, the route that tells where it stands. " +
      "Of what failed the `error` of the route, and what it names, such as `required_scope` or `missing`"
  })
}).annotate({ identifier: "AssistantActResponse" }).pipe(Schema.annotateEncoded({
  examples: [{
    action: "open_onboarding_status",
    status: "completed",
    message: null,
    result: { path: "/desk", goal_progress_pct: "40", next_step_id: "payout_bank" }
  }]
}))
export type AssistantActResponse = typeof AssistantActResponse.Type
