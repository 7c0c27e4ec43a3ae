/** Who is asking: the account behind the API key, as every handler sees it. */
import type { Who } from "@svc/kernel/actor"
import { Forbidden } from "@svc/kernel/errors"
import { Context, Schema } from "effect"
import type { AccountSettings } from "../accounts/settings.ts"
import type { AgentBudgets, AgentPolicy } from "../agent-keys/model.ts"
import { Reference } from "@svc/kernel/reference"

const SCOPE = /^[a-z][a-z_]{0,39}:(?:read|write)$/

/** What a restricted key may do, such as `ledger:read`. Which scopes there are, the groups of routes say by `RequiredScope`. */
export const Scope = Schema.String.check(
  Schema.isPattern(SCOPE, { message: "must be a scope such as ledger:read" })
).annotate({ identifier: "ApiKeyScope" })
export type Scope = typeof Scope.Type

/** The scopes that some route asks for; a key with another would open nothing. Undefined where nobody says, as in tests of one package. */
export class KnownScopes extends Reference<ReadonlySet<string> | undefined>("@svc/accounts/KnownScopes", { defaultValue: () => undefined }) {}

/**
 * Each tool of the tool server, and the scopes of the payments API that do what the tool does: none for a tool that does nothing of that API.
 * Undefined where nobody says, as on the command line: then no restricted key covers an agent key that opens a tool.
 */
export class ToolScopes extends Reference<ReadonlyMap<string, ReadonlyArray<Scope>> | undefined>("@svc/accounts/ToolScopes", { defaultValue: () => undefined }) {}

/** What rules need to know of an account. */
export interface AccountFacts {
  readonly id: string
  readonly sandbox: boolean
  readonly status: "active" | "suspended" | "closed" | "pending"
  /** What it was granted: `charges`, `payouts`. */
  readonly capabilities: ReadonlyArray<string>
  readonly restrictions: ReadonlyArray<string>
  /** Fee in basis points instead of the platform's default; null means the default. */
  readonly fee_tier_bps: number | null
  readonly settings: AccountSettings
  /** The version of the API in which it is answered and told of events, unless a request names another. */
  readonly api_version: string
}

export class Caller extends Context.Service<Caller, {
  readonly account: AccountFacts
  readonly keyId: string
  readonly kind: "secret" | "restricted"
  /** Of a restricted key. A secret key needs none. */
  readonly scopes?: ReadonlySet<string>
}>()("@svc/accounts/Caller") {}

/** What a restricted key is told where it may not enter. */
export const lacksScope = (scope: string) =>
  new Forbidden({
    message: `The restricted key lacks the scope ${scope}. Use a key that has it, or a secret key.`,
    details: { required_scope: scope }
  })

/** A key of the operator of this installation; it belongs to no account. */
export class Operator extends Context.Service<Operator, { readonly keyId: string }>()("@svc/accounts/Operator") {}

/** One key of the chain from an agent key to the one that the account issued. Each spends from the budgets of all that it was cut from. */
export interface AgentChainLink {
  readonly id: string
  /** What this level may spend, whichever key below it does. What is left out is not limited. */
  readonly budgets: AgentBudgets
  /** Calls a minute of this key and all keys cut from it together; absent where the policy does not limit them. */
  readonly rate_limit_per_minute?: number
}

/** What a call to the tool server was made with. */
export type ToolCredential =
  | { readonly kind: "api_key"; readonly id: string }
  | {
    readonly kind: "agent_key"
    readonly id: string
    /** What holds for the key now: its own policy, and no more than those of the keys it was cut from. */
    readonly policy: AgentPolicy
    /** From the key itself to the one that the account issued: one to three. A call counts in each window of each. */
    readonly chain: ReadonlyArray<AgentChainLink>
  }

/** Who calls the tool server: an account, by a key that opens tools. */
export interface ToolCaller {
  readonly account: AccountFacts
  readonly credential: ToolCredential
  /** Whether the account has a clock of its own: then the call runs in its time, by `inTimeOf` of the kernel's `accountTime`. */
  readonly clocked: boolean
}

/** Who is at work when a tool is called, for the audit log. */
export const actorOf = ({ credential: { id, kind } }: Pick<ToolCaller, "credential">): Who => ({ type: kind === "api_key" ? "tool_key" : kind, id })
