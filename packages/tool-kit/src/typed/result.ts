/** From an answer of the gate to the result that it holds, or to the error that stands in its place. */
import { Effect, Schema } from "effect"
import { NotConfigured } from "../backend.ts"
import type { AnsweredCall, RefusedCall, ToolAnswer, UnpaidAnswer } from "../gate/model.ts"
import * as Errors from "./errors.ts"

const secondsOf = ({ retry_after }: RefusedCall["data"]) => typeof retry_after === "number" ? { retry_after } : {}

const budgetOf = ({ left_cents, limit_cents, period }: RefusedCall["data"]) => ({
  ...(typeof period === "string" ? { period } : {}),
  ...(typeof limit_cents === "number" ? { limit_cents } : {}),
  ...(typeof left_cents === "number" ? { left_cents } : {})
})

/** A row more in the table of refusals does not compile before it has a class here. */
export const refusedWith = ({ data, message }: RefusedCall): Errors.CallError => {
  const { code, retryable, status_url } = data
  switch (code) {
    case "UNKNOWN_TOOL":
    case "INVALID_ARGUMENTS":
    case "ARGUMENTS_TOO_LARGE":
      return new Errors.InvalidArguments({ code, message, retryable })
    case "AUTH_REQUIRED":
    case "INVALID_KEY":
      return new Errors.KeyRefused({ code, message, retryable })
    case "ACCOUNT_NOT_ACTIVE":
      return new Errors.AccountNotActive({ code, message, retryable })
    case "AGENT_TOOL_NOT_ALLOWED":
      return new Errors.ToolNotAllowed({ code, message, retryable })
    case "AGENT_CURRENCY_NOT_ALLOWED":
    case "AGENT_PROVIDER_NOT_ALLOWED":
    case "AGENT_AMOUNT_NOT_ALLOWED":
    case "APPROVAL_REQUIRED":
      return new Errors.PaymentNotAllowed({ code, message, retryable })
    case "AGENT_BUDGET_EXCEEDED":
      return new Errors.BudgetExceeded({ code, message, retryable, ...budgetOf(data) })
    case "IDEMPOTENCY_CONFLICT":
      return new Errors.IdempotencyConflict({ code, message, retryable, ...secondsOf(data) })
    case "POSSIBLE_DUPLICATE":
      return new Errors.PossibleDuplicate({ code, message, retryable, ...(typeof status_url === "string" ? { status_url } : {}) })
    case "RATE_LIMITED":
    case "QUOTA_EXCEEDED":
      return new Errors.RateLimited({ code, message, retryable, ...secondsOf(data) })
    case "INTERNAL":
      return new Errors.ToolServerFailed({ code, message, retryable, ...secondsOf(data) })
  }
}

/** `error_code` and `agent_message` are of the contract, and stand in every 402. */
export const unpaidWith = ({ body, challenges }: UnpaidAnswer): Errors.CallError => {
  const { agent_message, error, error_code } = body
  const [message = "Payment Required"] = [agent_message, error].filter((text) => typeof text === "string")
  const fields = { message, retryable: false, body, challenges }
  switch (error_code) {
    case "CREDITS_EXHAUSTED":
      return new Errors.CreditsExhausted({ code: error_code, ...fields })
    case "TIER_REQUIRED":
      return new Errors.PlanRequired({ code: error_code, ...fields })
    default:
      return new Errors.PaymentRequired({ code: "PAYMENT_REQUIRED", ...fields })
  }
}

const Away = Schema.Struct({
  _not_configured: Schema.Literal(true),
  reason: Schema.String,
  detail: Schema.String,
  remediation: Schema.String
})
const isAway = Schema.is(Away)

const Failed = Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
const isFailed = Schema.is(Failed)

/** How a tool reads its own errors: those of its `error`, and that it took too long. */
export interface OwnErrors<E> {
  readonly is: (failure: unknown) => failure is E
  /** The same error with another message: what the answer says of the money may not be what the tool said. */
  readonly reworded: (failure: E, message: string) => E
}

const failureOf = <E extends { readonly message: string }>(
  { failure, result }: AnsweredCall,
  own: OwnErrors<E>
): Effect.Effect<never, E> => {
  if (!own.is(failure)) return Effect.die(new TypeError("a failure of a tool is none of its errors"))
  const message = isFailed(result) ? result.error.message : failure.message
  return Effect.fail(message === failure.message ? failure : own.reworded(failure, message))
}

/** The tool's result as it travels, or why there is none. */
export const resultOf = <E extends { readonly message: string }>(
  answer: ToolAnswer,
  own: OwnErrors<E>
): Effect.Effect<unknown, E | Errors.CallError> => {
  switch (answer._tag) {
    case "Answered": {
      if (answer.isError) return failureOf(answer, own)
      if (!isAway(answer.result)) return Effect.succeed(answer.result)
      const { detail, reason, remediation } = answer.result
      return Effect.fail(new NotConfigured({ reason, detail, remediation }))
    }
    case "Refused":
      return Effect.fail(refusedWith(answer))
    case "PaymentRequired":
      return Effect.fail(unpaidWith(answer))
    case "Pending":
      return Effect.fail(
        new Errors.CallPending({
          code: "payment_pending",
          message:
            `Whether the payment of call ${answer.call_id} arrived is not known yet. Do not pay again; ask ${answer.status_url} later.`,
          retryable: true,
          call_id: answer.call_id,
          status_url: answer.status_url
        })
      )
  }
}
