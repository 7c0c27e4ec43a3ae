/** What each refusal means, and what to do next. */
import { codeOf, type ErrorCode } from "@svc/kernel/resource/errors"
import { refusals } from "@svc/tool-kit/gate/refusals"
import * as HttpApi from "effect/http-api/HttpApi"
import { contract } from "../../api.ts"
import { isProtocols } from "../../mcp/json-rpc.ts"
import { json, type Make } from "./document.ts"

/** Answers of HTTP that the list of the gate does not hold: what is paid for is no refusal. */
const payment = [
  {
    code: "PAYMENT_REQUIRED",
    number: 4020,
    status: 402,
    retryable: true,
    meaning: "The call is paid when it is made.",
    next: "Pay what a challenge asks, then send the identical request with the credential."
  },
  {
    code: "CREDITS_EXHAUSTED",
    number: 4020,
    status: 402,
    retryable: true,
    meaning: "The account's credits do not pay for the call.",
    next: "Pay for the call as a challenge asks, or buy credits."
  },
  {
    code: "TIER_REQUIRED",
    number: 4020,
    status: 402,
    retryable: true,
    meaning: "The account's plan does not pay for this work.",
    next: "Pay for the call as a challenge asks, or change the plan."
  }
]

/** What the routes beside the tools are refused with, from their contract. */
const ofRoutes = (): ReadonlyArray<ErrorCode> => {
  const codes = new Map<string, ErrorCode>()
  HttpApi.reflect(contract, {
    onGroup: () => {},
    onEndpoint: ({ errors }) => {
      for (const code of Array.from(errors.values()).flat().map(codeOf)) if (code !== undefined) codes.set(code.error, code)
    }
  })
  return Array.from(codes.values()).sort((one, other) => one.status - other.status)
}

const routes = ofRoutes().map(({ error, meaning, next, status }) => ({
  code: error,
  // They are told over HTTP alone.
  number: null,
  status,
  retryable: status === 429 || status === 503,
  meaning,
  next
}))

/** Refusals that bare JSON-RPC answers with 200, as their numbers are the protocol's own. */
const told200 = Object.entries(refusals).flatMap(([code, { number }]) => isProtocols(number) ? [code] : [])

/** `status` is not the same at every door. */
const statuses = {
  rest: "POST /v1/analyze and DELETE /v1/snapshots/{id} answer with `status`.",
  json_rpc: `POST /mcp without a session, one message: \`status\`, and the body is a JSON-RPC error with \`number\`. ${
    told200.join(", ")
  } come as 200, since their numbers are those of JSON-RPC. 402 has no JSON-RPC error: its body is a problem document.`,
  mcp:
    "In a session, in revision 2026-07-28, and in a batch: 200 or a stream, and a JSON-RPC error with `number` and the code in data.code. What has to be paid is a result with isError, with the challenges in _meta[\"org.paymentauth/payment-required\"]; it is a 402 only for a request of one message with Accept-Payment or X-Agent-Budget that is not answered by a stream."
}

export const errorCodes: Make = () =>
  json({
    data: [
      ...Object.entries(refusals).map(([code, { meaning, next, number, retryable, status }]) => ({
        code,
        number,
        status,
        retryable,
        meaning,
        next
      })),
      ...payment,
      ...routes
    ],
    statuses,
    domain_failures:
      "A tool that ran and failed answers isError with structuredContent.error {code, message, retryable, detail}. Nothing was charged."
  })
