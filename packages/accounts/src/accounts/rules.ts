/** How an account changes. Pure: the service loads, asks here, and commits. */
import { type Release, statusOf } from "@svc/kernel/api-version"
import { InvalidState, ValidationError } from "@svc/kernel/errors"
import { triggersFrom } from "@svc/kernel/state-machine"
import type { DateTime } from "effect"
import { Equal, Result, Struct } from "effect"
import { accountMachine } from "./machine.ts"
import { Account, type AccountMove, type AccountPatch, AccountSuspended, type TermsPatch } from "./model.ts"
import { withPatch } from "./settings.ts"

/**
 * Moves the account. `obstacles` says in words what stands against closing it.
 * Fails with `InvalidState` when the table has no such move or an obstacle remains.
 */
export const move = (
  account: Account,
  trigger: AccountMove,
  obstacles: ReadonlyArray<string>,
  at: DateTime.Utc
): Result.Result<Account, InvalidState> => {
  const to = accountMachine.transitions.find((row) => row.from === account.status && row.trigger === trigger)?.to
  if (to === undefined) {
    const allowed = triggersFrom(accountMachine, account.status)
    return Result.fail(new InvalidState({
      message: `The account is ${account.status}, so it cannot ${trigger}. ` +
        (allowed.length === 0 ? "A closed account stays closed." : `It can: ${allowed.join(", ")}.`),
      details: { state: account.status, allowed }
    }))
  }
  if (trigger === "close" && obstacles.length > 0) {
    return Result.fail(new InvalidState({
      message: `The account cannot be closed yet: ${obstacles.join("; ")}. Settle these first.`,
      details: { state: account.status, allowed: triggersFrom(accountMachine, account.status).filter((next) => next !== "close"), obstacles }
    }))
  }
  return Result.succeed(new Account({ ...account, status: to, updated_at: at, version: account.version + 1 }))
}

const closed = (account: Account) =>
  new InvalidState({
    message: "The account is closed, so it cannot be changed.",
    details: { state: account.status, allowed: [] }
  })

/** Whether an account may be moved to a version of the API; any it has already may stay. */
export const mayPin = (releases: ReadonlyArray<Release>, version: string | undefined, at: DateTime.Utc): Result.Result<void, ValidationError> => {
  const status = version === undefined ? "current" : statusOf(releases, version, at.epochMilliseconds)
  return status === "current" || status === "supported" ? Result.succeed(undefined) : Result.fail(new ValidationError({
    code: "api_version",
    message: `api_version: ${status === undefined ? "no such version was released" : status === "sunset" ? "this version has ended" : "this version is deprecated"}. Choose one of ${
      releases.map((release) => release.version).filter((one) => ["current", "supported"].includes(statusOf(releases, one, at.epochMilliseconds) ?? "")).join(", ")
    }`
  }))
}

/** What the operator changes. A patch that changes nothing returns the account itself. */
export const setTerms = (
  account: Account,
  { api_version = account.api_version, capabilities = account.capabilities, fee_tier_bps = account.fee_tier_bps, restrictions = account.restrictions, ...fees }: TermsPatch,
  at: DateTime.Utc
): Result.Result<Account, InvalidState> => {
  if (account.status === "closed") return Result.fail(closed(account))
  const terms = { api_version, capabilities, restrictions, fee_tier_bps, settings: { ...account.settings, ...fees } }
  return Result.succeed(Equal.equals(terms, Struct.pick(account, ["api_version", "capabilities", "restrictions", "fee_tier_bps", "settings"]))
    ? account
    : new Account({ ...account, ...terms, updated_at: at, version: account.version + 1 }))
}

/**
 * What the merchant changes. A suspended account may only be renamed, so that whoever got hold of a key
 * cannot redirect its payouts; a closed one stays as it is. A patch that changes nothing returns the
 * account itself.
 */
export const update = (
  account: Account,
  patch: AccountPatch,
  at: DateTime.Utc
): Result.Result<Account, AccountSuspended | InvalidState> => {
  if (account.status === "closed") return Result.fail(closed(account))
  const next = new Account({ ...account, ...patch, settings: withPatch(account.settings, patch.settings ?? {}) })
  const moved = !Equal.equals(next.settings, account.settings) ||
    next.payout_destination !== account.payout_destination ||
    next.payout_method !== account.payout_method ||
    next.settlement_asset !== account.settlement_asset
  if (moved && account.status === "suspended") {
    return Result.fail(new AccountSuspended({
      message: "The account is suspended, so only its name can change. Contact the operator."
    }))
  }
  return Result.succeed(moved || next.name !== account.name || next.api_version !== account.api_version ? new Account({ ...next, updated_at: at, version: account.version + 1 }) : account)
}
