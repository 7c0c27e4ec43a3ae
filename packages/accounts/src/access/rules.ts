/** How far a key reaches. No key makes one that may do more than itself: the one rule for keys of every kind. Pure. */
import { Forbidden } from "@svc/kernel/errors"
import { Result } from "effect"
import { type AgentPolicy, budgetWindows, policyLimits, policyLists } from "../agent-keys/model.ts"
import type { Caller, Scope, ToolScopes } from "./model.ts"

/**
 * How far a key reaches. `secret`: all of its account. `restricted`: its scopes. `tool`: all tools. `agent`: the tools within its policy.
 * `operator`: the installation.
 */
export type Reach =
  | { readonly kind: "secret" | "tool" | "operator" }
  | { readonly kind: "restricted"; readonly scopes: ReadonlyArray<Scope> }
  | { readonly kind: "agent"; readonly policy: AgentPolicy }

/** The scopes of tools, as `ToolScopes` says them. */
export type KnownToolScopes = (typeof ToolScopes)["Service"]

/** By how much a key would reach further than its maker: the field that asks for more, why, and the scope that the maker lacks. */
export interface Excess {
  readonly field: string
  readonly why: string
  readonly scope?: Scope
}

/** What a policy asks for beyond that of the key it is cut from. */
const policyExcess = (parent: AgentPolicy, requested: AgentPolicy): Excess | undefined => {
  for (const field of policyLists) {
    const more = requested[field]?.filter((name) => parent[field]?.includes(name) === false) ?? []
    if (more.length > 0) return { field: `policy.${field}`, why: `the key it is cut from may not use ${more.join(", ")}. Leave these out, or leave the field out to have the same` }
  }
  const limits = [
    ...policyLimits.map((field) => [field, requested[field], parent[field]] as const),
    ...budgetWindows.map((window) => [`budgets.${window}`, requested.budgets?.[window], parent.budgets?.[window]] as const)
  ]
  for (const [field, more, most] of limits) {
    if (more !== undefined && most !== undefined && more > most) {
      return { field: `policy.${field}`, why: `${more} is above the ${most} of the key it is cut from. Give at most that, or leave the field out to have the same` }
    }
  }
  return undefined
}

const lacking = (scopes: ReadonlyArray<Scope>, needed: ReadonlyArray<Scope>) => needed.filter((scope) => !scopes.includes(scope))

/** The tools that a policy opens beyond a restricted key's scopes. All tools include those of later versions, so no scopes cover them. */
const toolExcess = (scopes: ReadonlyArray<Scope>, { allowed_tools }: AgentPolicy, tools: KnownToolScopes): Excess | undefined => {
  const field = "policy.allowed_tools"
  if (allowed_tools === undefined) {
    return { field, why: "A restricted key cannot give an agent key all tools. Name the tools in policy.allowed_tools, or use a secret key." }
  }
  for (const tool of allowed_tools) {
    const needed = tools?.get(tool)
    if (needed === undefined) return { field, why: `There is no tool ${tool}, so no scope covers it. Leave it out of policy.allowed_tools, or use a secret key.` }
    const [scope] = lacking(scopes, needed)
    if (scope !== undefined) {
      return { field, scope, why: `Your restricted key lacks the scope ${scope}, whose work the tool ${tool} does. Leave the tool out of policy.allowed_tools, or use a key that has the scope, or a secret key.` }
    }
  }
  return undefined
}

/** By how much `requested` reaches further than `issuer`, within one account; undefined when everything it may do, `issuer` may do too. */
export const excessOf = (issuer: Reach, requested: Reach, tools?: KnownToolScopes): Excess | undefined => {
  if (issuer.kind === "secret" && requested.kind !== "operator") return undefined
  if (issuer.kind === "agent" && requested.kind === "agent") return policyExcess(issuer.policy, requested.policy)
  if (issuer.kind === "restricted" && requested.kind === "agent") return toolExcess(issuer.scopes, requested.policy, tools)
  if (issuer.kind === "restricted" && requested.kind === "restricted") {
    const missing = lacking(issuer.scopes, requested.scopes)
    return missing.length === 0 ? undefined : {
      field: "scopes",
      why: `Your restricted key lacks ${missing.join(", ")}, which the other key has. Use a key that has these scopes, or a secret key.`
    }
  }
  return { field: "kind", why: `A key of kind ${issuer.kind} cannot make, change or revoke a key of kind ${requested.kind}. Use a secret key.` }
}

/** Who makes a key: how far its own key reaches, and the scopes of tools. */
export interface Issuer {
  readonly reach: Reach
  readonly tools: KnownToolScopes
}

export const reachOf = ({ kind, scopes }: Pick<Caller["Service"], "kind" | "scopes">): Reach => kind === "secret" ? { kind } : { kind, scopes: Array.from(scopes ?? []) }

/** Whether a key may make, change or revoke another. */
export const mayManage = ({ reach, tools }: Issuer, other: Reach): Result.Result<void, Forbidden> => {
  const excess = excessOf(reach, other, tools)
  if (excess === undefined) return Result.void
  return Result.fail(excess.scope === undefined
    ? new Forbidden({ message: excess.why })
    : new Forbidden({ message: excess.why, details: { required_scope: excess.scope } }))
}
