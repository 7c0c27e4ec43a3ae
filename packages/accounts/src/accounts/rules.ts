/** How an account changes. Pure: the service loads, asks here, and commits. */
import { CURRENT_API_VERSION, type Release, statusOf } from "@svc/kernel/resource/api-version"
import { change } from "@svc/kernel/resource/change"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { triggersFrom } from "@svc/kernel/resource/state-machine"
import type { DateTime } from "effect"
import { Equal, Result, Struct } from "effect"
import { accountMachine } from "./machine.ts"
import {
  type Account,
  type AccountId,
  type AccountMove,
  type AccountPatch,
  AccountSuspended,
  type CreateAccountRequest,
  INITIAL_CAPABILITIES,
  type TermsPatch
} from "./model.ts"
import { defaultSettings, withPatch } from "./settings.ts"

/** A new account. It is active unless the request asks for one that waits for the operator. */
export const open = (
  id: AccountId,
  { fee_tier_bps = null, name, sandbox, status = "active" }: CreateAccountRequest,
  at: DateTime.Utc
): Account => ({
  id,
  name,
  status,
  sandbox,
  api_key_prefix: null,
  capabilities: INITIAL_CAPABILITIES,
  restrictions: [],
  fee_tier_bps,
  payout_destination: null,
  payout_method: null,
  settlement_asset: null,
  webhook_url: null,
  settings: defaultSettings,
  api_version: CURRENT_API_VERSION,
  created_at: at,
  updated_at: at,
  version: 1
})

/**
 * The live account of a merchant whose sandbox is this one. What names resources of the sandbox stays behind, and so does the schedule of
 * payouts, which has no bank to pay to yet.
 */
export const openLive = (id: AccountId, sandbox: Account, at: DateTime.Utc): Account => {
  const { api_version, capabilities, fee_tier_bps, name, restrictions, settings } = sandbox
  return {
    ...open(id, { name, sandbox: false, fee_tier_bps }, at),
    api_version,
    capabilities,
    restrictions,
    settings: {
      ...settings,
      payouts: { ...settings.payouts, schedule: "manual" },
      portal_settings: { ...settings.portal_settings, plans: null }
    }
  }
}

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
    return Result.fail(
      new InvalidState({
        message: `The account is ${account.status}, so it cannot ${trigger}. ` +
          (allowed.length === 0 ? "A closed account stays closed." : `It can: ${allowed.join(", ")}.`),
        details: { state: account.status, allowed }
      })
    )
  }
  if (trigger === "close" && obstacles.length > 0) {
    return Result.fail(
      new InvalidState({
        message: `The account cannot be closed yet: ${obstacles.join("; ")}. Settle these first.`,
        details: {
          state: account.status,
          allowed: triggersFrom(accountMachine, account.status).filter((next) => next !== "close"),
          obstacles
        }
      })
    )
  }
  return Result.succeed(change(account, at, { status: to }))
}

const closed = (account: Account) =>
  new InvalidState({
    message: "The account is closed, so it cannot be changed.",
    details: { state: account.status, allowed: [] }
  })

const refusedVersion = {
  unreleased: "no such version was released",
  sunset: "this version has ended",
  deprecated: "this version is deprecated"
}

/** Fails when an account asks for a version of the API that is not among the supported ones. A patch without a version passes. */
export const mayPin = (
  releases: ReadonlyArray<Release>,
  version: string | undefined,
  at: DateTime.Utc
): Result.Result<void, ValidationError> => {
  if (version === undefined) return Result.void
  const statusAt = (candidate: string) => statusOf(releases, candidate, at.epochMilliseconds) ?? "unreleased"
  const isSupported = (candidate: string) => ["current", "supported"].includes(statusAt(candidate))
  const status = statusAt(version)
  if (status === "current" || status === "supported") return Result.void
  const choices = releases.map((release) => release.version).filter(isSupported).join(", ")
  return Result.fail(
    new ValidationError({ code: "api_version", message: `api_version: ${refusedVersion[status]}. Choose one of ${choices}` })
  )
}

/** What the operator changes. A patch that changes nothing returns the account itself. */
export const setTerms = (
  account: Account,
  {
    api_version = account.api_version,
    capabilities = account.capabilities,
    fee_tier_bps = account.fee_tier_bps,
    restrictions = account.restrictions,
    ...fees
  }: TermsPatch,
  at: DateTime.Utc
): Result.Result<Account, InvalidState> => {
  if (account.status === "closed") return Result.fail(closed(account))
  const terms = { api_version, capabilities, restrictions, fee_tier_bps, settings: { ...account.settings, ...fees } }
  return Result.succeed(
    Equal.equals(terms, Struct.pick(account, ["api_version", "capabilities", "restrictions", "fee_tier_bps", "settings"]))
      ? account
      : change(account, at, terms)
  )
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
  const next: Account = { ...account, ...patch, settings: withPatch(account.settings, patch.settings ?? {}) }
  const hasOtherTerms = !Equal.equals(next.settings, account.settings) ||
    next.payout_destination !== account.payout_destination ||
    next.payout_method !== account.payout_method ||
    next.settlement_asset !== account.settlement_asset
  if (hasOtherTerms && account.status === "suspended") {
    return Result.fail(
      new AccountSuspended({
        message: "The account is suspended, so only its name can change. Contact the operator."
      })
    )
  }
  const hasChanged = hasOtherTerms || next.name !== account.name || next.api_version !== account.api_version
  return Result.succeed(hasChanged ? change(next, at, {}) : account)
}
