/** What stands between every door and the tools: a request in, an answer out. Doors shape the answer for their protocol. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { Context, type Effect, type Option } from "effect"

/** A call as it came in at some door. */
export interface ToolRequest {
  readonly name: string
  readonly arguments: unknown
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** `params._meta`: credentials and receipts travel here where no header can. */
  readonly meta: Readonly<Record<string, unknown>>
  /** The address at which the caller reached this server: what a challenge says is being paid for. */
  readonly url: string
  /** The bytes of the body, where a credential may be bound to them. */
  readonly body?: string
  /** Where the call came from: what anonymous callers are counted by. */
  readonly address: string | undefined
  /** Where a door has recognised the key of the headers already. */
  readonly caller?: ToolCaller
  /**
   * The answer that the same call had before, if there is one. The gate asks for it after the checks of credentials and limits, and then
   * neither runs the tool nor charges.
   */
  readonly earlier?: (caller: ToolCaller | undefined) => Effect.Effect<ToolAnswer | undefined>
}

/** Codes of refusals. `refusals.ts` says what each means. */
export type RefusalName =
  | "UNKNOWN_TOOL"
  | "INVALID_ARGUMENTS"
  | "ARGUMENTS_TOO_LARGE"
  | "AUTH_REQUIRED"
  | "INVALID_KEY"
  | "ACCOUNT_NOT_ACTIVE"
  | "AGENT_TOOL_NOT_ALLOWED"
  | "AGENT_CURRENCY_NOT_ALLOWED"
  | "AGENT_PROVIDER_NOT_ALLOWED"
  | "AGENT_AMOUNT_NOT_ALLOWED"
  | "AGENT_BUDGET_EXCEEDED"
  | "APPROVAL_REQUIRED"
  | "IDEMPOTENCY_CONFLICT"
  | "POSSIBLE_DUPLICATE"
  | "RATE_LIMITED"
  | "QUOTA_EXCEEDED"
  | "INTERNAL"

/** Headers of the answer: tier, quota, credits, cost, and receipts. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** The tool has run, or answers for an earlier call. */
export interface AnsweredCall {
  readonly _tag: "Answered"
  readonly result: unknown
  /** A domain failure: the model reads it and goes on. */
  readonly isError: boolean
  /** The tool's own error behind a domain failure, for callers within the process that know its type. It is not sent anywhere. */
  readonly failure?: unknown
  /** US cents that were taken for this answer: none for one that is free, failed or repeated. No header is read to learn it. */
  readonly charged: number
  readonly headers: AnswerHeaders
  readonly meta: Readonly<Record<string, unknown>>
}

/** The tool has not run: who asks, or how, is refused. */
export interface RefusedCall {
  readonly _tag: "Refused"
  readonly status: number
  /** JSON-RPC's. */
  readonly code: number
  readonly message: string
  readonly data:
    & { readonly code: RefusalName; readonly detail: string; readonly retryable: boolean; readonly docs_url: string }
    & Readonly<Record<string, unknown>>
  readonly headers: AnswerHeaders
}

/** The tool runs as soon as it is paid for. */
export interface UnpaidAnswer {
  readonly _tag: "PaymentRequired"
  /** Keys of the contract, of RFC 9457 and of x402 v1 in one object. */
  readonly body: Readonly<Record<string, unknown>>
  /** `PaymentRequired` of x402 v2, with the contract's keys. */
  readonly inBand: Readonly<Record<string, unknown>>
  /** Challenges of the Payment scheme as they stand in `_meta["org.paymentauth/payment-required"]`. */
  readonly challenges: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** One `WWW-Authenticate` each. */
  readonly authenticate: ReadonlyArray<string>
  readonly headers: AnswerHeaders
  /** `_meta` besides the challenges: what became of the payment that came with the request. */
  readonly meta: Readonly<Record<string, unknown>>
}

/** What it was paid with may have arrived or not. */
export interface PendingCall {
  readonly _tag: "Pending"
  readonly call_id: string
  readonly status_url: string
  readonly headers: AnswerHeaders
}

export type ToolAnswer = AnsweredCall | RefusedCall | UnpaidAnswer | PendingCall

/** US cents that were taken for an answer, whichever it is. */
export const chargedFor = (answer: ToolAnswer): number => answer._tag === "Answered" ? answer.charged : 0

export class Gate extends Context.Service<Gate, {
  /** Checks the call, runs the tool, charges for it. Whatever happens is an answer. */
  readonly call: (request: ToolRequest) => Effect.Effect<ToolAnswer>
  /** Whose key this is, for doors that must know it before a call: who owns a session, who sees the tools for agents. */
  readonly find: (token: string) => Effect.Effect<Option.Option<ToolCaller>>
  /** Whose key this is, for doors that refuse one that is not current before a call. */
  readonly recognise: (token: string) => Effect.Effect<ToolCaller, RefusedCall>
  /** The refusal of a key that is not a current one. Undefined for a key that is. */
  readonly keyRefusal: (token: string) => Effect.Effect<RefusedCall | undefined>
  /** The headers of each answer to an account: its plan and its credits. */
  readonly creditHeaders: (caller: ToolCaller) => Effect.Effect<AnswerHeaders>
}>()("@svc/tool-kit/Gate") {}
