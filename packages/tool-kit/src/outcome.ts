/** What a run comes to, and the answer of the gate to it. */
import { NotConfigured } from "./backend.ts"
import type { Cents } from "./call.ts"
import type { AnsweredCall, RefusedCall } from "./gate/model.ts"
import { PolicyRefused } from "./gate/policy.ts"

export interface NotConfiguredEnvelope {
  readonly _not_configured: true
  readonly reason: string
  readonly detail: string
  readonly remediation: string
}

/** A domain failure as an agent reads it. `code` is its tag in snake case. */
export interface DomainFailure {
  readonly code: string
  readonly message: string
  readonly retryable: boolean
  readonly detail?: unknown
}

export type ToolOutcome =
  | { readonly _tag: "Done"; readonly result: unknown; readonly cents: Cents }
  /** `failure` is the error itself, for callers that know its type. */
  | { readonly _tag: "Failed"; readonly error: DomainFailure; readonly failure?: unknown; readonly cents: 0 }
  | { readonly _tag: "Away"; readonly result: NotConfiguredEnvelope; readonly cents: 0 }
  | { readonly _tag: "Refused"; readonly refusal: RefusedCall; readonly cents: 0 }

export const away = ({ detail, reason, remediation }: NotConfigured): ToolOutcome => ({
  _tag: "Away",
  cents: 0,
  result: { _not_configured: true, reason, detail, remediation }
})

const snake = (tag: string): string => tag.replace(/([a-z0-9])([A-Z])/gu, "$1_$2").toLowerCase()

/** `retryable` and `detail` are fields that a failure may have. */
const failed = (error: { readonly _tag: string; readonly message: string }): ToolOutcome => ({
  _tag: "Failed",
  cents: 0,
  error: {
    code: "code" in error && typeof error.code === "string" ? error.code : snake(error._tag),
    message: error.message,
    retryable: "retryable" in error && error.retryable === true,
    ...("detail" in error && error.detail !== undefined ? { detail: error.detail } : {})
  },
  failure: error
})

/** What a run that failed comes to. */
export const outcomeOf = (refusal: { readonly _tag: string; readonly message: string }): ToolOutcome => {
  if (refusal instanceof PolicyRefused) return { _tag: "Refused", refusal: refusal.refusal, cents: 0 }
  return refusal instanceof NotConfigured ? away(refusal) : failed(refusal)
}

const rest = { charged: 0, headers: {}, meta: {} }

export const answerOf = (outcome: ToolOutcome): AnsweredCall | RefusedCall => {
  if (outcome._tag === "Refused") return outcome.refusal
  return outcome._tag === "Failed"
    ? { _tag: "Answered", result: { error: outcome.error }, isError: true, failure: outcome.failure, ...rest }
    : { _tag: "Answered", result: outcome.result, isError: false, ...rest }
}
