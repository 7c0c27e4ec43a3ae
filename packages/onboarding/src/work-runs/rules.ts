/** What the rows of an account say of its steps. Pure. */
import type { AccountId } from "@svc/accounts/accounts/model"
import type { DateTime } from "effect"
import { type OnboardingFacts, stepIds, type WorkRun, WorkRunId, type WorkStep, type WorkStepId, type WorkStepState } from "./model.ts"

const stateOf = (done: boolean, waiting = false): WorkStepState => done ? "done" : waiting ? "waiting" : "open"

const states: Readonly<Record<WorkStepId, (facts: OnboardingFacts) => WorkStepState>> = {
  terms: ({ terms_accepted }) => stateOf(terms_accepted),
  business_verified: ({ business_pending, business_verified }) => stateOf(business_verified, business_pending),
  payout_bank: ({ bank_active, bank_verified }) => stateOf(bank_active, bank_verified),
  webhook_endpoint: ({ webhook_endpoint }) => stateOf(webhook_endpoint),
  first_payment: ({ captured }) => stateOf(captured),
  live: ({ live_account_id, live_requested, sandbox }) => stateOf(!sandbox || live_account_id !== null, live_requested)
}

/** Where a person does it. */
const paths: Readonly<Record<WorkStepId, string>> = {
  terms: "/desk/terms",
  business_verified: "/desk/legal_entities",
  payout_bank: "/desk/transfer_instruments",
  webhook_endpoint: "/desk/webhook_endpoint",
  first_payment: "/desk/payments",
  live: "/desk/go_live_requests"
}

export const stepsOf = (facts: OnboardingFacts): ReadonlyArray<WorkStep> =>
  stepIds.map((id) => ({ id, state: states[id](facts), desk_path: paths[id] }))

/** What has to be done before the account may ask to go live. */
export const missingIn = (steps: ReadonlyArray<WorkStep>): ReadonlyArray<WorkStepId> =>
  steps.filter(({ id, state }) => id !== "live" && state !== "done").map(({ id }) => id)

const nextIn = (steps: ReadonlyArray<WorkStep>): WorkStepId | null =>
  (steps.find(({ state }) => state === "open") ?? steps.find(({ state }) => state === "waiting"))?.id ?? null

/** An account has one work run for its whole life, whose id is the account's with another prefix. */
export const workRunIdOf = (account: string): WorkRunId => WorkRunId.make(account.replace(/^acct_/u, "wr_"))

/** The work run as the rows are now, after the one that was last kept. */
export const computed = (
  account: AccountId,
  facts: OnboardingFacts,
  { at, kept }: { readonly at: DateTime.Utc; readonly kept: WorkRun | undefined }
): WorkRun => {
  const steps = stepsOf(facts)
  return {
    id: workRunIdOf(account),
    merchant_id: account,
    steps,
    goal_progress_pct: Math.floor(steps.filter(({ state }) => state === "done").length * 100 / steps.length),
    next_step_id: nextIn(steps),
    live_account_id: facts.live_account_id,
    computed_at: at,
    refreshed_at: kept?.refreshed_at ?? null,
    created_at: kept?.created_at ?? at,
    updated_at: kept?.updated_at ?? at,
    version: kept?.version ?? 1
  }
}

/** The same, to be kept. */
export const refreshed = (run: WorkRun, isKept: boolean): WorkRun => ({
  ...run,
  refreshed_at: run.computed_at,
  updated_at: run.computed_at,
  version: isKept ? run.version + 1 : run.version
})
