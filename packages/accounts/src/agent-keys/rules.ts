/** What an agent key may be, and how it changes. Pure: the service loads, asks here, and commits. */
import { change } from "@svc/kernel/resource/change"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import type { VersionConflict } from "@svc/kernel/resource/errors"
import { atVersion } from "@svc/kernel/resource/versions"
import { DateTime, Equal, Result } from "effect"
import type { AccountFacts, AgentChainLink } from "../access/model.ts"
import { excessOf } from "../access/rules.ts"
import type { AgentBudgets, AgentKeyId, AgentKeyPatch, AgentPolicy, IssueAgentKeyRequest } from "./model.ts"
import { AgentKey, budgetWindows, MAX_CUTS, MAX_DEPTH, policyLimits, policyLists, SANDBOX_HOURS } from "./model.ts"

/** What people call it. */
export const NAME = "agent key"

/** The fields that have a value. */
const definedFields = <K extends string, V>(entries: ReadonlyArray<readonly [K, V | undefined]>): { readonly [P in K]?: V } => {
  const fields: { [P in K]?: V } = {}
  for (const [key, value] of entries) if (value !== undefined) fields[key] = value
  return fields
}

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other)

const both = (one: ReadonlyArray<string> | undefined, other: ReadonlyArray<string> | undefined): ReadonlyArray<string> | undefined =>
  one === undefined ? other : other === undefined ? one : one.filter((name) => other.includes(name))

const budgetsOf = ({ budgets = {} }: AgentPolicy): AgentBudgets => budgets

/** What both policies allow. */
export const meet = (one: AgentPolicy, other: AgentPolicy): AgentPolicy => {
  const budgets = definedFields(budgetWindows.map((window) => [window, least(budgetsOf(one)[window], budgetsOf(other)[window])] as const))
  return {
    ...definedFields(policyLists.map((field) => [field, both(one[field], other[field])] as const)),
    ...definedFields(policyLimits.map((field) => [field, least(one[field], other[field])] as const)),
    ...(one.budgets === undefined && other.budgets === undefined ? {} : { budgets })
  }
}

/** A key as the chain of a caller shows it. */
export const linkOf = ({ id, policy }: { readonly id: string; readonly policy: AgentPolicy }): AgentChainLink => ({
  id,
  budgets: budgetsOf(policy),
  ...(policy.rate_limit_per_minute === undefined ? {} : { rate_limit_per_minute: policy.rate_limit_per_minute })
})

const refused = (code: string, message: string) => Result.fail(new ValidationError({ code, message: `${code}: ${message}` }))

/** The policy of a key that is cut from one with `parent`: the requested limits, and the parent's elsewhere. Fails beyond the parent's. */
export const within = (parent: AgentPolicy, requested: AgentPolicy): Result.Result<AgentPolicy, ValidationError> => {
  const excess = excessOf({ kind: "agent", policy: parent }, { kind: "agent", policy: requested })
  return excess === undefined ? Result.succeed(meet(requested, parent)) : refused(excess.field, excess.why)
}

/** What a verb on an agent key changes: keys and their timers. */
export interface KeyDecision {
  readonly key: AgentKey
  /** Keys that change with it. */
  readonly others: ReadonlyArray<AgentKey>
  /** Keys whose timers are set, and keys whose timers are cleared. */
  readonly begins: ReadonlyArray<AgentKey>
  readonly ends: ReadonlyArray<AgentKey>
}

/** Whether a key has expired, also before its timer has run. */
export const isOver = ({ expires_at }: Pick<AgentKey, "expires_at">, at: DateTime.Utc): boolean =>
  expires_at !== null && expires_at.epochMilliseconds <= at.epochMilliseconds

/** The key to cut from, and how many active keys were cut from it so far. */
export interface ParentKey {
  readonly key: AgentKey
  readonly cuts: number
}

export interface NewAgentKey {
  readonly id: AgentKeyId
  /** SHA-256 of the token. */
  readonly hash: string
  readonly account: Pick<AccountFacts, "id" | "sandbox" | "status">
  readonly request: IssueAgentKeyRequest
  readonly at: DateTime.Utc
  readonly parent?: ParentKey
}

const state = (status: string, message: string) => Result.fail(new InvalidState({ message, details: { state: status, allowed: [] } }))

const mayCut = ({ cuts, key }: ParentKey, at: DateTime.Utc): Result.Result<void, InvalidState> => {
  if (key.status !== "active" || isOver(key, at)) {
    return state(
      key.status === "active" ? "expired" : key.status,
      "The key to cut from has ended, so it gives no other keys. Use an active key."
    )
  }
  if (key.depth >= MAX_DEPTH) {
    return state(key.status, `The key to cut from is at level ${key.depth}, and there are ${MAX_DEPTH}. Cut from a key above it.`)
  }
  return cuts < MAX_CUTS
    ? Result.void
    : state(key.status, `${MAX_CUTS} active keys are cut from this one already. Revoke some of them first.`)
}

/** The moment at which a new key ends: the requested one, which lies within what the account's kind and the key above allow. */
const endOf = (
  { account, at, parent, request: { expires_at: requested = null } }: NewAgentKey
): Result.Result<DateTime.Utc | null, ValidationError> => {
  const parentEnd = parent?.key.expires_at ?? null
  const sandboxEnd = account.sandbox ? DateTime.add(at, { hours: SANDBOX_HOURS }) : null
  if (requested === null) {
    return Result.succeed(parentEnd !== null && sandboxEnd !== null ? DateTime.min(parentEnd, sandboxEnd) : parentEnd ?? sandboxEnd)
  }
  const isAfter = (limit: DateTime.Utc | null): limit is DateTime.Utc => limit !== null && DateTime.isGreaterThan(requested, limit)
  const atMost = (limit: DateTime.Utc) => `${DateTime.formatIso(limit)}. Give that moment or an earlier one, or leave the field out`
  if (!DateTime.isGreaterThan(requested, at)) return refused("expires_at", "this moment is past. Give a later one")
  if (isAfter(parentEnd)) return refused("expires_at", `the key it is cut from ends at ${atMost(parentEnd)}`)
  return isAfter(sandboxEnd)
    ? refused("expires_at", `a sandbox key ends ${SANDBOX_HOURS} hours after it is made at the latest, at ${atMost(sandboxEnd)}`)
    : Result.succeed(requested)
}

/** Makes a key, for the account or cut from another. The key it is cut from is written anew, so that it cannot end at the same time. */
export const issue = (issuing: NewAgentKey): Result.Result<KeyDecision, ValidationError | InvalidState> => {
  const { account, at, hash, id, parent, request } = issuing
  if (account.status === "closed") return state(account.status, "The account is closed, so it takes no new keys.")
  return Result.gen(function*() {
    if (parent !== undefined) yield* mayCut(parent, at)
    const expires_at = yield* endOf(issuing)
    const requestedPolicy = request.policy ?? {}
    const key: AgentKey = {
      id,
      account_id: account.id,
      parent_id: parent?.key.id ?? null,
      depth: (parent?.key.depth ?? 0) + 1,
      name: request.name,
      status: "active",
      sandbox: account.sandbox,
      policy: parent === undefined ? requestedPolicy : yield* within(parent.key.policy, requestedPolicy),
      hash,
      expires_at,
      created_at: at,
      updated_at: at,
      version: 1
    }
    return { key, others: parent === undefined ? [] : [change(parent.key, at, {})], begins: [key], ends: [] }
  })
}

/** Ends a key and the active ones below it; undefined for one that has ended already. */
export const end = (
  key: AgentKey,
  below: ReadonlyArray<AgentKey>,
  status: "revoked" | "expired",
  at: DateTime.Utc
): KeyDecision | undefined => {
  if (key.status !== "active") return undefined
  const others = below.map((other) => change(other, at, { status }))
  return { key: change(key, at, { status }), others, begins: [], ends: [key, ...below] }
}

/**
 * Changes name or policy; undefined when that is how they are. The policy of a key that was cut lies within that of the key above. Those
 * below keep what they have, and may no more than this key all the same.
 */
export const update = (
  key: AgentKey,
  above: AgentKey | undefined,
  { name = key.name, policy }: AgentKeyPatch,
  { at, expected }: { readonly at: DateTime.Utc; readonly expected: number | undefined }
): Result.Result<KeyDecision | undefined, ValidationError | InvalidState | VersionConflict> => {
  if (key.status !== "active") return state(key.status, `The agent key is ${key.status}, so it cannot be changed. Issue another one.`)
  return Result.gen(function*() {
    yield* atVersion(NAME, key, expected)
    const next = policy === undefined || above === undefined ? policy ?? key.policy : yield* within(above.policy, policy)
    if (name === key.name && Equal.equals(next, key.policy)) return undefined
    return { key: change(key, at, { name, policy: next }), others: [], begins: [], ends: [] }
  })
}
