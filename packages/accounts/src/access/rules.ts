/**
 * How far a key, or a person in its place, reaches. Nobody makes a key, and nobody gives a role, that may do more than themselves: the one
 * rule for keys of every kind and for people. Pure.
 */
import { Forbidden } from "@svc/kernel/resource/errors"
import { Result } from "effect"
import { type AgentPolicy, budgetWindows, policyLimits, policyLists } from "../agent-keys/model.ts"
import type { ApiKeyScope, Caller, Role, ToolScopes } from "./model.ts"
import { scopesOf } from "./roles.ts"

/**
 * How far a key reaches. `secret`: all of its account. `restricted`: its scopes. `tool`: all tools. `agent`: the tools within its policy.
 * `operator`: the installation. A person reaches as far as their `role`.
 */
export type Reach =
  | { readonly kind: "secret" | "tool" | "operator"; readonly role?: Role }
  | { readonly kind: "restricted"; readonly scopes: ReadonlyArray<ApiKeyScope>; readonly role?: Role }
  | { readonly kind: "agent"; readonly policy: AgentPolicy; readonly role?: never }

/** The scopes of tools, as `ToolScopes` says them. */
export type KnownToolScopes = (typeof ToolScopes)["Service"]

/** By how much a key would reach further than its maker: the field that asks for more, why, and the scope that the maker lacks. */
export interface Excess {
  readonly field: string
  readonly why: string
  readonly scope?: ApiKeyScope
}

/** What a policy asks for beyond that of the key it is cut from. */
const policyExcess = (parent: AgentPolicy, requested: AgentPolicy): Excess | undefined => {
  for (const field of policyLists) {
    const more = requested[field]?.filter((name) => parent[field]?.includes(name) === false) ?? []
    if (more.length > 0) {
      return {
        field: `policy.${field}`,
        why: `the key it is cut from may not use ${more.join(", ")}. Leave these out, or leave the field out to have the same`
      }
    }
  }
  const limits = [
    ...policyLimits.map((field) => [field, requested[field], parent[field]] as const),
    ...budgetWindows.map((window) => [`budgets.${window}`, requested.budgets?.[window], parent.budgets?.[window]] as const)
  ]
  for (const [field, more, most] of limits) {
    if (more !== undefined && most !== undefined && more > most) {
      return {
        field: `policy.${field}`,
        why: `${more} is above the ${most} of the key it is cut from. Give at most that, or leave the field out to have the same`
      }
    }
  }
  return undefined
}

type Restricted = Extract<Reach, { readonly kind: "restricted" }>

/** Who is refused, and who may do it instead. */
const inWords = ({ kind, role }: Reach) =>
  role === undefined
    ? {
      who: kind === "restricted" ? "Your restricted key" : `A key of kind ${kind}`,
      withScope: "use a key that has the scope, or a secret key",
      whole: "Use a secret key."
    }
    : { who: `Your role, ${role},`, withScope: "ask an owner of the account", whole: "Ask an owner of the account." }

const named = ({ kind, role }: Reach) => role === undefined ? `a key of kind ${kind}` : `the role ${role}`

const lacking = (scopes: ReadonlyArray<ApiKeyScope>, needed: ReadonlyArray<ApiKeyScope>) =>
  needed.filter((scope) => !scopes.includes(scope))

/** The tools that a policy opens beyond a restricted key's scopes. All tools include those of later versions, so no scopes cover them. */
const toolExcess = (issuer: Restricted, { allowed_tools }: AgentPolicy, tools: KnownToolScopes): Excess | undefined => {
  const field = "policy.allowed_tools"
  const { who, whole, withScope } = inWords(issuer)
  if (allowed_tools === undefined) {
    return { field, why: `${who} cannot give an agent key all tools. Name the tools in policy.allowed_tools. ${whole}` }
  }
  for (const tool of allowed_tools) {
    const needed = tools?.get(tool)
    if (needed === undefined) {
      return { field, why: `There is no tool ${tool}, so no scope covers it. Leave it out of policy.allowed_tools. ${whole}` }
    }
    const [scope] = lacking(issuer.scopes, needed)
    if (scope !== undefined) {
      return {
        field,
        scope,
        why:
          `${who} lacks the scope ${scope}, whose work the tool ${tool} does. Leave the tool out of policy.allowed_tools, or ${withScope}.`
      }
    }
  }
  return undefined
}

/** By how much `requested` reaches further than `issuer`, within one account; undefined when everything it may do, `issuer` may do too. */
export const excessOf = (issuer: Reach, requested: Reach, tools?: KnownToolScopes): Excess | undefined => {
  const { who, whole } = inWords(issuer)
  if (issuer.kind === "secret" && requested.kind !== "operator") return undefined
  if (issuer.kind === "agent" && requested.kind === "agent") return policyExcess(issuer.policy, requested.policy)
  if (issuer.kind === "restricted" && requested.kind === "agent") return toolExcess(issuer, requested.policy, tools)
  if (issuer.kind === "restricted" && requested.kind === "restricted") {
    const missing = lacking(issuer.scopes, requested.scopes)
    return missing.length === 0 ? undefined : {
      field: "scopes",
      why: `${who} lacks ${missing.join(", ")}, which ${requested.role === undefined ? "the other key" : named(requested)} has. ${whole}`
    }
  }
  return {
    field: "kind",
    why: `${who} cannot make, change or revoke ${named(requested)}. ${whole}`
  }
}

/** The maker of a key: how far the maker's own key reaches, and the scopes of tools. */
export interface Issuer {
  readonly reach: Reach
  readonly tools: KnownToolScopes
}

/** How far a caller reaches: by their key, or by the role of the person. */
export const reachOf = ({ kind, person, scopes }: Pick<Caller["Service"], "kind" | "person" | "scopes">): Reach => {
  const role = person === undefined ? {} : { role: person.role }
  return kind === "secret" ? { kind, ...role } : { kind, scopes: Array.from(scopes ?? []), ...role }
}

/** How far people of this role reach. `known` are the scopes that some route asks for. */
export const reachOfRole = (role: Role, known: ReadonlySet<string>): Reach =>
  role === "owner" ? { kind: "secret", role } : { kind: "restricted", scopes: Array.from(scopesOf(role, known)), role }

/** Whether a key may make, change or revoke another. */
export const mayManage = ({ reach, tools }: Issuer, other: Reach): Result.Result<void, Forbidden> => {
  const excess = excessOf(reach, other, tools)
  if (excess === undefined) return Result.void
  return Result.fail(
    excess.scope === undefined
      ? new Forbidden({ message: excess.why })
      : new Forbidden({ message: excess.why, details: { required_scope: excess.scope } })
  )
}
