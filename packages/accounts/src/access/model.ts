/** The caller of a request: the account behind the API key, as every handler sees it. */
import type { ActorIdentity } from "@svc/kernel/parts/actor"
import { errorCode, Forbidden, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Reference } from "@svc/kernel/values/reference"
import { Context, Schema } from "effect"
import type { AccountSettings } from "../accounts/settings.ts"
import type { AgentBudgets, AgentPolicy } from "../agent-keys/model.ts"

const SCOPE = /^[a-z][a-z_]{0,39}:(?:read|write)$/

/** What a restricted key may do, such as `ledger:read`. Which scopes there are, the groups of routes say by `RequiredScope`. */
export const ApiKeyScope = Schema.String.check(
  Schema.isPattern(SCOPE, { message: "must be a scope such as ledger:read" })
).annotate({ identifier: "ApiKeyScope" })
export type ApiKeyScope = typeof ApiKeyScope.Type

/** The scopes that some route asks for; a key with another would open nothing. Undefined where nobody says, as in tests of one package. */
export class KnownScopes
  extends Reference<ReadonlySet<string> | undefined>("@svc/accounts/KnownScopes", { defaultValue: () => undefined })
{}

/**
 * Each tool of the tool server, and the scopes that a restricted key needs to let an agent key call it: none for a tool that is anybody's.
 * Undefined where nobody says, as on the command line: then no restricted key covers an agent key that opens a tool.
 */
export class ToolScopes extends Reference<ReadonlyMap<string, ReadonlyArray<ApiKeyScope>> | undefined>("@svc/accounts/ToolScopes", {
  defaultValue: () => undefined
}) {}

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

/**
 * What somebody is to an account, or to the installation. A role is a set of scopes: `access/roles.ts`.
 */
export const roles = ["owner", "developer", "support", "finance", "viewer"] as const
export const Role = Schema.Literals(roles).annotate({ identifier: "Role" })
export type Role = typeof Role.Type

/** A person as each of their requests finds them. */
export interface Person {
  readonly id: string
  readonly role: Role
  readonly session_id: string
  /** When they last proved with a passkey or at their identity provider who they are, Unix milliseconds. */
  readonly confirmed_at: number
}

export class Caller extends Context.Service<Caller, {
  readonly account: AccountFacts
  /** The key, or the person where no key was used. */
  readonly keyId: string
  /** `secret` for an owner, `restricted` for people of other roles. */
  readonly kind: "secret" | "restricted"
  /** Of a restricted key, or of a role. A secret key needs none. */
  readonly scopes?: ReadonlySet<string>
  readonly person?: Person
}>()("@svc/accounts/Caller") {}

/** Where a person is signed in: in an account, or in the installation. */
export interface SignedInPerson extends Person {
  /** Null in the installation: there a person is its operator. */
  readonly account: AccountFacts | null
  /** Whether the account has a clock of its own. */
  readonly clocked: boolean
  readonly scopes: ReadonlySet<string>
}

/**
 * The person whose page asks. Only the desk sets it, within the process: no request brings it along, so the API knows no cookies and no
 * other site can use a person's session.
 */
export class SignedIn extends Reference<SignedInPerson | undefined>("@svc/accounts/SignedIn", { defaultValue: () => undefined }) {}

/** What a restricted key, or a person in its place, is told where it may not enter. */
export const lacksScope = (scope: string, person?: Pick<Person, "role">) =>
  new Forbidden({
    message: person === undefined
      ? `The restricted key lacks the scope ${scope}. Use a key that has it, or a secret key.`
      : `Your role, ${person.role}, lacks the scope ${scope}. Ask an owner to do this, or to give you a role that has it.`,
    details: { required_scope: scope }
  })

const confirmation = errorCode(
  "confirmation_required",
  403,
  "A person did this whose last proof of who they are is too old for it. Keys are never asked.",
  "Confirm with your passkey or at your identity provider, and send again within `details.within_minutes`.",
  { example: { details: { within_minutes: 5 } } }
)

/** 403. What gives power asks a person for a fresh proof of who they are. */
export class ConfirmationRequired extends Schema.Error<ConfirmationRequired>("ConfirmationRequired")(
  wireFields("ConfirmationRequired", confirmation),
  wireAnnotations(confirmation)
) {}

/** A key of the operator of this installation, or a person of it; it belongs to no account. */
export class Operator extends Context.Service<Operator, { readonly keyId: string; readonly person?: Person }>()("@svc/accounts/Operator") {}

/** A key of the chain from an agent key up to the key that the account issued. A key spends from the budgets of all keys above it. */
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

/** The caller of the tool server: an account, by a key that opens tools. */
export interface ToolCaller {
  readonly account: AccountFacts
  readonly credential: ToolCredential
  /** Whether the account has a clock of its own: then the call runs in its time, by `inTimeOf` of the kernel's `accountTime`. */
  readonly clocked: boolean
}

/** The actor of a tool call, for the audit log. */
export const actorOf = ({ credential: { id, kind } }: Pick<ToolCaller, "credential">): ActorIdentity => ({
  type: kind === "api_key" ? "tool_key" : kind,
  id
})
