/** The work run: how an account gets from its first day to live, as steps whose states are computed from rows. */
import { AccountId } from "@svc/accounts/accounts/model"
import { EXAMPLE_TIME, exampleId, exampleVersion } from "@svc/kernel/resource/examples"
import { resource, tableOf, versioned } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const WorkRunId = idSchema("wr", "WorkRunId")
export type WorkRunId = typeof WorkRunId.Type

/** In the order in which they are done. */
export const stepIds = ["terms", "business_verified", "payout_bank", "webhook_endpoint", "first_payment", "live"] as const
export const WorkStepId = Schema.Literals(stepIds).annotate({ identifier: "WorkStepId" })
export type WorkStepId = typeof WorkStepId.Type

export const WorkStepState = Schema.Literals(["done", "open", "waiting"]).annotate({
  identifier: "WorkStepState",
  description: "`waiting`: somebody else looks at it, or a time has to pass"
})
export type WorkStepState = typeof WorkStepState.Type

export const WorkStep = Schema.Struct({
  id: WorkStepId,
  state: WorkStepState,
  desk_path: Schema.String.annotate({ description: "The page of the desk where a person does it" })
}).annotate({ identifier: "WorkStep" })
export type WorkStep = typeof WorkStep.Type

/** Row and wire in one declaration. */
export const WorkRun = resource({
  id: WorkRunId,
  merchant_id: AccountId,
  steps: Schema.Array(WorkStep),
  goal_progress_pct: Schema.Int.annotate({ description: "Of the steps, how many are done, in percent" }),
  next_step_id: Schema.NullOr(WorkStepId).annotate({
    description: "The first step that is open; where none is, the first that waits. Null when all are done"
  }),
  live_account_id: Schema.NullOr(AccountId).annotate({ description: "The live account of a sandbox that went live" }),
  /** When the states were read from the rows. */
  computed_at: Timestamp,
  /** When it was last kept; null where it never was. */
  refreshed_at: Schema.NullOr(Timestamp),
  ...versioned
})
export type WorkRun = typeof WorkRun.Type

export const WorkRunJson = WorkRun.json.annotate({
  identifier: "WorkRun",
  description: "How far the account is on its way to live. There is one for each account."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("wr"),
    merchant_id: exampleId("acct"),
    steps: [
      { id: "terms", state: "done", desk_path: "/desk/terms" },
      { id: "business_verified", state: "waiting", desk_path: "/desk/legal_entities" },
      { id: "payout_bank", state: "open", desk_path: "/desk/transfer_instruments" },
      { id: "webhook_endpoint", state: "done", desk_path: "/desk/webhook_endpoint" },
      { id: "first_payment", state: "done", desk_path: "/desk/payments" },
      { id: "live", state: "open", desk_path: "/desk/go_live_requests" }
    ],
    goal_progress_pct: 50,
    next_step_id: "payout_bank",
    live_account_id: null,
    computed_at: EXAMPLE_TIME,
    refreshed_at: null,
    ...exampleVersion
  }]
}))

export const workRuns = tableOf(WorkRun, { name: "work_runs", account: "merchant_id", audited: true })

/** What is read of an account, each from rows of one resource. */
export interface OnboardingFacts {
  readonly sandbox: boolean
  /** The present version of the terms is accepted. */
  readonly terms_accepted: boolean
  readonly business_verified: boolean
  /** A business is under review. */
  readonly business_pending: boolean
  /** Money can be paid out to an instrument. */
  readonly bank_active: boolean
  /** An instrument is verified and not active yet: its cooling-off runs. */
  readonly bank_verified: boolean
  readonly webhook_endpoint: boolean
  readonly captured: boolean
  readonly live_requested: boolean
  /** Of a sandbox that went live. */
  readonly live_account_id: AccountId | null
}
