/** What an agent key may be, and how it changes. Pure: the service loads, asks here, and commits. */
import { InvalidState, ValidationError } from "@svc/kernel/errors"
import type { VersionConflict } from "@svc/kernel/errors"
import { atVersion } from "@svc/kernel/versions"
import { DateTime, Equal, Result } from "effect"
import type { AccountFacts, AgentChainLink } from "../access/model.ts"
import type { AgentBudgets, AgentKeyId, AgentKeyPatch, AgentPolicy, IssueAgentKeyRequest } from "./model.ts"
import { AgentKey, MAX_CUTS, MAX_DEPTH, SANDBOX_HOURS } from "./model.ts"

/** What people call it. */
export const NAME = "agent key"

const LISTS = ["allowed_currencies", "allowed_providers", "allowed_tools"] as const
const NUMBERS = ["max_amount_minor_cents", "rate_limit_per_minute", "require_approval_above"] as const
const WINDOWS = ["hour", "day", "month", "life"] as const

/** The fields that have a value. */
const given = <K extends string, V>(entries: ReadonlyArray<readonly [K, V | undefined]>): { readonly [P in K]?: V } => {
  const found: { [P in K]?: V } = {}
  for (const [key, value] of entries) if (value !== undefined) found[key] = value
  return found
}

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other)

const both = (one: ReadonlyArray<string> | undefined, other: ReadonlyArray<string> | undefined): ReadonlyArray<string> | undefined =>
  one === undefined ? other : other === undefined ? one : one.filter((name) => other.includes(name))

const budgetsOf = ({ budgets = {} }: AgentPolicy): AgentBudgets => budgets

/** What both policies allow. */
export const meet = (one: AgentPolicy, other: AgentPolicy): AgentPolicy => {
  const budgets = given(WINDOWS.map((window) => [window, least(budgetsOf(one)[window], budgetsOf(other)[window])] as const))
  return {
    ...given(LISTS.map((field) => [field, both(one[field], other[field])] as const)),
    ...given(NUMBERS.map((field) => [field, least(one[field], other[field])] as const)),
    ...(one.budgets === undefined && other.budgets === undefined ? {} : { budgets })
  }
}

/** A key as the chain of a caller shows it. */
export const linkOf = ({ id, policy }: { readonly id: string; readonly policy: AgentPolicy }): AgentChainLink => ({
  id,
  budgets: budgetsOf(policy),
  ...(policy.rate_limit_per_minute === undefined ? {} : { rate_limit_per_minute: policy.rate_limit_per_minute })
})
