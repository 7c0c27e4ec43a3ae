/** What happens to a call that credits do not pay for: it is asked to be paid, or was. */
import { Context, type Effect } from "effect"
import type { Admitted } from "./admitted.ts"
import type { Refused, ToolAnswer, ToolRequest } from "./model.ts"

/** Why a call is to be paid for. */
export type Why = "PAYMENT_REQUIRED" | "CREDITS_EXHAUSTED" | "TIER_REQUIRED"

export class Paywall extends Context.Service<Paywall, {
  /** Whether the request brings what it wants to pay with. */
  readonly hasCredential: (request: ToolRequest) => boolean
  /** Runs the call against what it brings; without that, asks for it. */
  readonly demand: (admitted: Admitted, why: Why) => Effect.Effect<ToolAnswer, Refused>
}>()("@svc/tools/Paywall") {}
