/** Who may go live, and what becomes of the request. Pure. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import { checkMove } from "@svc/kernel/resource/state-machine"
import { type DateTime, Result } from "effect"
import type { WorkStepId } from "../work-runs/model.ts"
import { OnboardingIncomplete } from "./errors.ts"
import { goLiveMachine } from "./machine.ts"
import { type GoLiveRequest, GoLiveRequestId } from "./model.ts"

type AskingAccount = Pick<AccountFacts, "id" | "sandbox" | "status">

/** Fails for what is live already, and for an account that is suspended or closed. */
export const checkAccount = ({ sandbox, status }: Pick<AccountFacts, "sandbox" | "status">): Result.Result<void, InvalidState> => {
  if (!sandbox) {
    return Result.fail(
      new InvalidState({
        message: "This account is live already. Only a sandbox account goes live.",
        details: { state: "live", allowed: [] }
      })
    )
  }
  return status === "active" ? Result.void : Result.fail(
    new InvalidState({
      message: `The account is ${status}, and goes live only while it is active. Contact the operator.`,
      details: { state: status, allowed: [] }
    })
  )
}

/** Fails also while a step is missing: when it is asked for, and when it is approved. */
const checkReady = (
  account: AskingAccount,
  missing: ReadonlyArray<WorkStepId>
): Result.Result<void, InvalidState | OnboardingIncomplete> =>
  Result.flatMap(checkAccount(account), () =>
    missing.length === 0 ? Result.void : Result.fail(
      new OnboardingIncomplete({
        message: `The account cannot go live yet: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing. ` +
          "GET /v1/work_run says where each step stands.",
        details: { missing }
      })
    ))

export const create = (
  account: AskingAccount,
  missing: ReadonlyArray<WorkStepId>,
  { at, by, id }: { readonly id: string; readonly by: string; readonly at: DateTime.Utc }
): Result.Result<GoLiveRequest, InvalidState | OnboardingIncomplete> =>
  Result.map(checkReady(account, missing), () => ({
    id: GoLiveRequestId.make(id),
    merchant_id: AccountId.make(account.id),
    status: "pending",
    requested_by: by,
    decided_by: null,
    decided_at: null,
    rejection_reason: null,
    live_account_id: null,
    created_at: at,
    updated_at: at,
    version: 1
  }))

/** Who decides: `at` is the account's time, and `decided_at` the world's. */
export interface Deciding {
  readonly by: string
  readonly at: DateTime.Utc
  readonly decided_at: DateTime.Utc
}

/** Checked before the live account is opened. */
export const checkApproval = (
  request: GoLiveRequest,
  account: AskingAccount,
  missing: ReadonlyArray<WorkStepId>
): Result.Result<void, InvalidState | OnboardingIncomplete> =>
  Result.flatMap(checkMove(goLiveMachine, request.status, "approve"), () => checkReady(account, missing))

export const approved = (request: GoLiveRequest, live: AccountId, { at, by, decided_at }: Deciding): GoLiveRequest =>
  change(request, at, { status: "approved", decided_by: by, decided_at, live_account_id: live })

export const reject = (
  request: GoLiveRequest,
  rejection_reason: string,
  { at, by, decided_at }: Deciding
): Result.Result<GoLiveRequest, InvalidState> =>
  Result.map(
    checkMove(goLiveMachine, request.status, "reject"),
    () => change(request, at, { status: "rejected", decided_by: by, decided_at, rejection_reason })
  )
