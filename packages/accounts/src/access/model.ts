/** Who is asking: the account behind the API key, as every handler sees it. */
import { Context, Schema } from "effect"
import type { AccountSettings } from "../accounts/settings.ts"

const SCOPE = /^[a-z][a-z_]{0,39}:(?:read|write)$/

/** What a restricted key may do, such as `ledger:read`. Which scopes there are, the groups of routes say by `RequiredScope`. */
export const Scope = Schema.String.check(
  Schema.isPattern(SCOPE, { message: "must be a scope such as ledger:read" })
).annotate({ identifier: "ApiKeyScope" })
export type Scope = typeof Scope.Type

/** The scopes that some route asks for; a key with another would open nothing. Undefined where nobody says, as in tests of one package. */
export class KnownScopes extends Context.Reference<ReadonlySet<string> | undefined>("@svc/accounts/KnownScopes", { defaultValue: () => undefined }) {}

/** What rules need to know of an account. */
export interface AccountFacts {
  readonly id: string
  readonly sandbox: boolean
  readonly status: "active" | "suspended" | "closed" | "pending"
  readonly restrictions: ReadonlyArray<string>
  /** Fee in basis points instead of the platform's default; null means the default. */
  readonly fee_tier_bps: number | null
  readonly settings: AccountSettings
}

export class Caller extends Context.Service<Caller, {
  readonly account: AccountFacts
  readonly keyId: string
  readonly kind: "secret" | "restricted"
}>()("@svc/accounts/Caller") {}

/** A key of the operator of this installation; it belongs to no account. */
export class Operator extends Context.Service<Operator, { readonly keyId: string }>()("@svc/accounts/Operator") {}
