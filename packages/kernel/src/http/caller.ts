/** Who is asking: the account behind the API key, as every handler sees it. */
import { Context } from "effect"
import type { AccountSettings } from "../account-settings.ts"

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
}>()("@svc/kernel/Caller") {}

/** A key of the operator of this installation; it belongs to no account. */
export class Operator extends Context.Service<Operator, { readonly keyId: string }>()("@svc/kernel/Operator") {}
