/** What the gate may answer in the place of a result, for callers that know the tools' types. */
import { Effect, Schema } from "effect"
import { NotConfigured } from "../backend.ts"
import type { ToolAnswer } from "../gate/model.ts"

const Fields = Schema.Record(Schema.String, Schema.Unknown)

/** The tool ran, and could not do it. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  detail: Schema.optionalKey(Schema.Unknown)
}) {}

/** The tool did not run: who asks, or how, is refused. `code` is one of GET /v1/error-codes. */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", {
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
  status: Schema.Int
}) {}

/** The tool runs as soon as it is paid for. */
export class PaymentDue extends Schema.TaggedError<PaymentDue>()("PaymentDue", { body: Fields, challenges: Schema.Array(Fields) }) {}

/** What it was paid with may have arrived or not: `status_url` tells later. */
export class CallPending extends Schema.TaggedError<CallPending>()("CallPending", { call_id: Schema.String, status_url: Schema.String }) {}

export const CallError = Schema.Union([ToolFailed, NotConfigured, CallRefused, PaymentDue, CallPending])
export type CallError = typeof CallError.Type

const Failed = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    retryable: Schema.Boolean,
    detail: Schema.optionalKey(Schema.Unknown)
  })
})
const isFailed = Schema.is(Failed)
const Away = Schema.Struct({
  _not_configured: Schema.Literal(true),
  reason: Schema.String,
  detail: Schema.String,
  remediation: Schema.String
})
const isAway = Schema.is(Away)

/** The tool's result as it travels, or why there is none. */
export const resultOf = (answer: ToolAnswer): Effect.Effect<unknown, CallError> => {
  switch (answer._tag) {
    case "Answered":
      if (isAway(answer.result)) {
        return Effect.fail(
          new NotConfigured({ reason: answer.result.reason, detail: answer.result.detail, remediation: answer.result.remediation })
        )
      }
      if (!answer.isError) return Effect.succeed(answer.result)
      return isFailed(answer.result)
        ? Effect.fail(new ToolFailed(answer.result.error))
        : Effect.die(new TypeError("a failure of a tool has no error"))
    case "Refused":
      return Effect.fail(
        new CallRefused({ code: answer.data.code, message: answer.message, retryable: answer.data.retryable, status: answer.status })
      )
    case "PaymentRequired":
      return Effect.fail(new PaymentDue({ body: answer.body, challenges: answer.challenges }))
    case "Pending":
      return Effect.fail(new CallPending({ call_id: answer.call_id, status_url: answer.status_url }))
  }
}
