/** The checks of a call that ask nothing of the database. Each gives its refusal, or undefined where the call passes. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { containsCardNumber } from "@svc/kernel/values/card-numbers"
import { parseJson } from "@svc/kernel/values/json"
import { type Call, centsText } from "@svc/tool-kit/call"
import type { RefusedCall, ToolRequest } from "@svc/tool-kit/gate/model"
import { refusals, refuse } from "@svc/tool-kit/gate/refusals"
import type { Compiled, PreparedCall } from "@svc/tool-kit/tool"

/** The refusal of a key. Of a key that is not known the detail repeats the meaning, and is left out. */
export const invalidKey = (detail: string): RefusedCall => {
  const refused = refuse("INVALID_KEY", detail)
  const { meaning, next } = refusals.INVALID_KEY
  return meaning.endsWith(detail.replace(/^It /u, "")) ? { ...refused, message: `${meaning} ${next}` } : refused
}

/** Whether the caller may call this tool at all. */
export const accessRefusal = ({ meta, name }: Compiled<never>, caller: ToolCaller | undefined): RefusedCall | undefined => {
  const { auth, hints, prices } = meta
  const agent = caller?.credential.kind === "agent_key" ? caller.credential : undefined
  if (caller === undefined && (auth === "key" || auth === "agent")) return refuse("AUTH_REQUIRED", `${name} needs one.`)
  if (auth === "agent" && agent === undefined) {
    return refuse("AUTH_REQUIRED", `${name} is called with an agent key, agk_live_ or agk_test_.`)
  }
  if (caller !== undefined && caller.account.status !== "active" && !(prices === "free" && hints.readOnly)) {
    return refuse("ACCOUNT_NOT_ACTIVE", `It is ${caller.account.status}.`)
  }
  const allowed = agent?.policy.allowed_tools
  return allowed?.includes(name) === false
    ? refuse("AGENT_TOOL_NOT_ALLOWED", `${name} is not among ${allowed.join(", ") || "its tools, which are none"}.`)
    : undefined
}

/** 429 `RATE_LIMITED`, where there are `seconds` until the next call may come. `CallLimit` of metering decides this. */
export const rateRefusal = (seconds: number | undefined): RefusedCall | undefined =>
  seconds === undefined
    ? undefined
    : refuse("RATE_LIMITED", `The next call may come in ${seconds} s.`, { retry_after: seconds }, { "retry-after": String(seconds) })

/** Digits of a fraction are no card number, and a vector has thousands of them. */
const withoutVectors = (value: unknown): unknown =>
  parseJson(JSON.stringify(value, (_, item: unknown) => Array.isArray(item) && item.every((one) => typeof one === "number") ? [] : item))

/** A tool that keeps text keeps no card numbers. */
export const cardRefusal = ({ meta }: Compiled<never>, request: ToolRequest): RefusedCall | undefined => {
  const card = meta.keepsText === true ? containsCardNumber(withoutVectors(request.arguments)) : undefined
  return card === undefined
    ? undefined
    : refuse(
      "INVALID_ARGUMENTS",
      `${card.join(".") || "arguments"}: holds what looks like a card number, which is not kept here. Leave it out.`
    )
}

/** Whether the price stays within what the agent key may pay at once. */
export const amountRefusal = ({ agent }: Call, { quote }: PreparedCall<never>): RefusedCall | undefined => {
  const most = agent?.policy.max_amount_minor_cents
  return most === undefined || quote <= most
    ? undefined
    : refuse("AGENT_AMOUNT_NOT_ALLOWED", `The call costs ${centsText(quote)}, and one payment may come to ${most}.`)
}
