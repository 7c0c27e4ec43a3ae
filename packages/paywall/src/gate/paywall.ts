/** What happens to a call that credits do not pay for: it is asked to be paid, or was. */
import type { Mode } from "@svc/tool-kit/call"
import type { AnswerHeaders, RefusedCall, ToolAnswer, ToolRequest } from "@svc/tool-kit/gate/model"
import { Context, type Effect } from "effect"
import type { Admitted } from "./admitted.ts"

/** Why a call is to be paid for. */
export type Why = "PAYMENT_REQUIRED" | "CREDITS_EXHAUSTED" | "TIER_REQUIRED"

/** What of a call a challenge is bound to. */
export interface Priced {
  readonly tool: string
  readonly mode: Mode
  readonly argumentsSha256: string
}

/** The plan that a call needs was paid for, and is the account's. */
export interface PlanSold {
  readonly _tag: "PlanSold"
  readonly headers: AnswerHeaders
  readonly meta: Readonly<Record<string, unknown>>
}

export class Paywall extends Context.Service<Paywall, {
  /** Whether the request brings what it wants to pay with. */
  readonly hasCredential: (request: ToolRequest) => boolean
  /** The key of whoever was asked to pay, out of the challenge that is answered: the payment has taken the key's place. */
  readonly keyOf: (request: ToolRequest, call: Priced) => Effect.Effect<string | undefined>
  /** Runs the call against what it brings; without that, asks for it. */
  readonly demand: (admitted: Admitted, why: Why) => Effect.Effect<ToolAnswer, RefusedCall>
  /**
   * Sells the plan without which the call cannot be made, against what the request brings; without that, asks for it. The call itself is
   * not run.
   */
  readonly sellPlan: (admitted: Admitted) => Effect.Effect<ToolAnswer | PlanSold, RefusedCall>
}>()("@svc/paywall/Paywall") {}
