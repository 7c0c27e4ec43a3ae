/** Refusals of the gate, one row each: their number in JSON-RPC, their status over HTTP, and what to do next. */
import type { AnswerHeaders, RefusalName, RefusedCall } from "./model.ts"

interface Row {
  /** Outside -32768 to -32000, which JSON-RPC and MCP keep for themselves; but for those that are theirs. */
  readonly number: number
  readonly status: number
  readonly retryable: boolean
  readonly meaning: string
  readonly next: string
}

const row = (number: number, status: number, meaning: string, next: string, retryable = false): Row => ({
  number,
  status,
  meaning,
  next,
  retryable
})

export const refusals = {
  UNKNOWN_TOOL: row(
    -32602,
    404,
    "There is no tool of this name.",
    "List the tools with tools/list, or search them with search_and_discover_tools."
  ),
  INVALID_ARGUMENTS: row(
    -32602,
    400,
    "The arguments do not fit the tool's input schema.",
    "Correct the fields that the detail names and call again. Nothing was charged."
  ),
  ARGUMENTS_TOO_LARGE: row(
    -32602,
    413,
    "The arguments are larger than the tool accepts.",
    "Send less, or in several calls. Nothing was charged."
  ),
  AUTH_REQUIRED: row(
    4010,
    401,
    "The tool needs a key.",
    "Send Authorization: Bearer with a key. POST /v1/accounts or POST /v1/agents/signup gives one at once."
  ),
  INVALID_KEY: row(4010, 401, "The key is malformed, unknown, revoked or expired.", "Send a current key."),
  ACCOUNT_NOT_ACTIVE: row(
    4030,
    403,
    "The account may not do this as it stands.",
    "Free tools that only read still work. Ask the operator of this installation."
  ),
  AGENT_TOOL_NOT_ALLOWED: row(
    4030,
    403,
    "The agent key's policy does not allow this tool.",
    "Call a tool that the policy allows, or ask the account's owner to change it."
  ),
  AGENT_CURRENCY_NOT_ALLOWED: row(
    4030,
    403,
    "The agent key's policy does not allow this currency.",
    "Use a currency that the policy allows."
  ),
  AGENT_PROVIDER_NOT_ALLOWED: row(
    4030,
    403,
    "The agent key's policy does not allow this provider.",
    "Use a provider that the policy allows."
  ),
  AGENT_AMOUNT_NOT_ALLOWED: row(
    4030,
    403,
    "The amount is above what the agent key's policy allows for one payment.",
    "Pay less at once, or ask the account's owner to change the policy."
  ),
  AGENT_BUDGET_EXCEEDED: row(
    4030,
    403,
    "The call would pass a budget of the agent key, or the one that the request itself names.",
    "Wait for the next window, or ask the account's owner for a larger budget."
  ),
  APPROVAL_REQUIRED: row(4030, 403, "A person has to approve this first.", "Wait until the account's owner has decided, then ask again."),
  IDEMPOTENCY_CONFLICT: row(
    4091,
    409,
    "The idempotency key was used with other arguments, or its first call is still running.",
    "Use a fresh key for another call; repeat the identical call after a second to have the answer of the first."
  ),
  POSSIBLE_DUPLICATE: row(
    4092,
    409,
    "This call is paid for already; do not pay again.",
    "To act a second time, send X-Svc-Allow-Duplicate: true, or _meta[\"svc/allow_duplicate\"]: true."
  ),
  RATE_LIMITED: row(4290, 429, "Too many calls.", "Wait as long as data.retry_after says.", true),
  QUOTA_EXCEEDED: row(4290, 429, "The quota of the account's plan is used up.", "Wait for the next month, or buy credits."),
  INTERNAL: row(
    -32603,
    500,
    "Something failed on our side.",
    "Send the identical request again, with the same idempotency key and payment: what was paid for is answered, and nothing is charged twice.",
    true
  )
} as const satisfies Record<RefusalName, Row>

/** A refusal whose whole message is given: where what stands in the table for its code would come before what this caller needs. */
export const refuseWith = (
  name: RefusalName,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: AnswerHeaders = {}
): RefusedCall => ({ ...refuse(name, message, more, headers), message })

/** A refusal as an answer. `detail` says what is wrong with this call. What says when to come back may be sent again as it is. */
export const refuse = (
  name: RefusalName,
  detail: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: AnswerHeaders = {}
): RefusedCall => {
  const { meaning, next, number, retryable, status } = refusals[name]
  return {
    _tag: "Refused",
    status,
    code: number,
    message: `${meaning} ${detail} ${next}`.replace(/\s+/gu, " "),
    data: { code: name, detail, retryable: retryable || more["retry_after"] !== undefined, docs_url: `/v1/error-codes#${name}`, ...more },
    headers
  }
}
