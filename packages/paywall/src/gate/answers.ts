/** The answer of the gate to a tool's outcome. */
import type { AnsweredCall, RefusedCall } from "@svc/tool-kit/gate/model"
import type { ToolOutcome } from "@svc/tool-kit/tool"

const rest = { headers: {}, meta: {} }

export const answerOf = (outcome: ToolOutcome): AnsweredCall | RefusedCall => {
  if (outcome._tag === "Refused") return outcome.refusal
  return outcome._tag === "Failed"
    ? { _tag: "Answered", result: { error: outcome.error }, isError: true, ...rest }
    : { _tag: "Answered", result: outcome.result, isError: false, ...rest }
}
