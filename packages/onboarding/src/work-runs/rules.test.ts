import { assert, it } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { DateTime } from "effect"
import { type OnboardingFacts, stepIds, type WorkStepId } from "./model.ts"
import { computed, missingIn, refreshed, stepsOf, workRunIdOf } from "./rules.ts"

const account = AccountId.make("acct_01KDVK5D80000000000000000A")
const at = DateTime.makeUnsafe("2026-01-01T12:00:00.000Z")

const nothing: OnboardingFacts = {
  sandbox: true,
  terms_accepted: false,
  business_verified: false,
  business_pending: false,
  bank_active: false,
  bank_verified: false,
  webhook_endpoint: false,
  captured: false,
  live_requested: false,
  live_account_id: null
}

const ready = { terms_accepted: true, business_verified: true, bank_active: true, webhook_endpoint: true, captured: true }

/** What the rows say, the states of the steps in their order, how much is done, and what comes next. */
const cases: ReadonlyArray<readonly [says: string, facts: Partial<OnboardingFacts>, states: string, pct: number, next: WorkStepId | null]> =
  [
    ["nothing has happened", {}, "open open open open open open", 0, "terms"],
    ["the terms are accepted", { terms_accepted: true }, "done open open open open open", 16, "business_verified"],
    [
      "what waits is not next while something is open",
      { business_pending: true, terms_accepted: true },
      "done waiting open open open open",
      16,
      "payout_bank"
    ],
    [
      "a verified business stays done while another is reviewed",
      { business_pending: true, business_verified: true },
      "open done open open open open",
      16,
      "terms"
    ],
    ["a bank account cools off", { bank_verified: true }, "open open waiting open open open", 0, "terms"],
    ["one of two is active", { bank_active: true, bank_verified: true }, "open open done open open open", 16, "terms"],
    ["all is ready", ready, "done done done done done open", 83, "live"],
    ["it has asked", { ...ready, live_requested: true }, "done done done done done waiting", 83, "live"],
    ["it went live", { ...ready, live_account_id: account }, "done done done done done done", 100, null],
    ["it is the live account", { sandbox: false, terms_accepted: true }, "done open open open open done", 33, "business_verified"]
  ]

it.each(cases)("%s", (...[, facts, states, goal_progress_pct, next_step_id]) => {
  const run = computed(account, { ...nothing, ...facts }, { at, kept: undefined })
  assert.strictEqual(run.steps.map(({ state }) => state).join(" "), states)
  assert.deepInclude(run, { goal_progress_pct, next_step_id, refreshed_at: null, version: 1 })
})

it("the request is missing all that is not done, but itself", () => {
  assert.deepStrictEqual(missingIn(stepsOf(nothing)), stepIds.filter((id) => id !== "live"))
  assert.deepStrictEqual(missingIn(stepsOf({ ...nothing, ...ready, business_verified: false, business_pending: true })), [
    "business_verified"
  ])
  assert.deepStrictEqual(missingIn(stepsOf({ ...nothing, ...ready })), [])
})

it("an account has one work run, which is kept at its next version", () => {
  const first = refreshed(computed(account, nothing, { at, kept: undefined }), false)
  assert.deepInclude(first, { id: workRunIdOf(account), version: 1, refreshed_at: at })
  const later = DateTime.add(at, { hours: 1 })
  const next = refreshed(computed(account, nothing, { at: later, kept: first }), true)
  assert.deepInclude(next, { id: first.id, version: 2, created_at: at, refreshed_at: later, updated_at: later })
})
