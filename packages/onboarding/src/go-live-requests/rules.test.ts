import { assert, it } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { DateTime, Result } from "effect"
import { approved, checkAccount, checkApproval, create, reject } from "./rules.ts"

const id = "acct_01KDVK5D80000000000000000A"
const at = DateTime.makeUnsafe("2026-01-01T12:00:00.000Z")
const account = { id, sandbox: true, status: "active" } as const
const asked = { id: "glr_01KDVK5D80000000000000000A", by: "usr_1", at }
const deciding = { by: "usr_2", at: DateTime.add(at, { days: 300 }), decided_at: at }
const request = Result.getOrThrow(create(account, [], asked))
const live = AccountId.make("acct_01KDVK5D80000000000000000B")

it.each(
  [
    ["a sandbox that is active goes live", account, true],
    ["what is live does not", { ...account, sandbox: false }, false],
    ["nor what is suspended", { ...account, status: "suspended" }, false],
    ["nor what is closed", { ...account, status: "closed" }, false],
    ["nor what the operator has not activated", { ...account, status: "pending" }, false]
  ] as const
)("%s", (_, which, may) => {
  assert.strictEqual(Result.isSuccess(checkAccount(which)), may)
  assert.strictEqual(Result.isSuccess(checkApproval(request, which, [])), may)
})

it("names what is missing", () => {
  const refusal = Result.getOrThrow(Result.flip(create(account, ["payout_bank", "first_payment"], asked)))
  assert.strictEqual(refusal._tag, "OnboardingIncomplete")
  assert.include(refusal.message, "payout_bank, first_payment are missing")
  assert.deepStrictEqual(refusal.details, { missing: ["payout_bank", "first_payment"] })
})

it("is not approved while a step is missing again", () => {
  const refusal = Result.getOrThrow(Result.flip(checkApproval(request, account, ["webhook_endpoint"])))
  assert.deepInclude(refusal, { _tag: "OnboardingIncomplete", details: { missing: ["webhook_endpoint"] } })
})

it("is decided once", () => {
  const [done, refused] = [approved(request, live, deciding), Result.getOrThrow(reject(request, "no", deciding))]
  assert.deepInclude(done, {
    status: "approved",
    live_account_id: live,
    decided_by: "usr_2",
    decided_at: at,
    updated_at: deciding.at,
    version: 2
  })
  assert.deepInclude(refused, { status: "rejected", live_account_id: null, rejection_reason: "no", version: 2 })
  for (const over of [done, refused]) {
    assert.isTrue(Result.isFailure(checkApproval(over, account, [])))
    assert.isTrue(Result.isFailure(reject(over, "no", deciding)))
  }
})
