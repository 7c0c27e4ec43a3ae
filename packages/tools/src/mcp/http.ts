/** `/mcp` and `/v1/mcp`: JSON-RPC over HTTP without a session, one request or a batch a body. */
import { Effect, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Gate, type ToolAnswer } from "../gate/model.ts"
import * as JsonRpc from "./json-rpc.ts"
import { answer, type Door, type MethodAnswer } from "./methods.ts"

/** What a tool answered, as the result of `tools/call`: text for every client, and structure for those that read it. */
const toolResult = (result: unknown, isError: boolean, meta: Readonly<Record<string, unknown>>) => ({
  content: [{ type: "text", text: JSON.stringify(result) }],
  structuredContent: result,
  isError,
  ...(Object.keys(meta).length === 0 ? {} : { _meta: meta })
})

const shaped = (id: JsonRpc.Id, tool: ToolAnswer) => {
  switch (tool._tag) {
    case "Answered":
      return JsonRpc.reply(id, toolResult(tool.result, tool.isError, tool.meta))
    case "Refused":
      return JsonRpc.refusal(id, { code: tool.code, message: tool.message, data: tool.data })
    case "PaymentRequired":
      return JsonRpc.reply(id, toolResult(tool.inBand, true, { "org.paymentauth/payment-required": { challenges: tool.challenges } }))
    case "Pending":
      return JsonRpc.reply(id, toolResult({ pending: true, call_id: tool.call_id, status_url: tool.status_url }, false, {}))
  }
}

const message = (id: JsonRpc.Id, of: MethodAnswer) =>
  of._tag === "Result" ? JsonRpc.reply(id, of.result) : of._tag === "Error" ? JsonRpc.refusal(id, of.error) : shaped(id, of.answer)

const one = Effect.fnUntraced(function*(value: unknown, door: Door) {
  const read = JsonRpc.read(value)
  if (read._tag === "Invalid") return { body: read.answer, status: 400, headers: {} }
  const { id } = read.message
  if (id === undefined) return undefined
  const of = yield* answer(read.message, door)
  if (of._tag !== "Tool") return { body: message(id, of), status: 200, headers: {} }
  const { answer: tool } = of
  if (tool._tag === "PaymentRequired") return { body: tool.body, status: 402, headers: tool.headers }
  return { body: message(id, of), status: 200, headers: tool.headers }
})

const MOST_IN_A_BATCH = 50

const post = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = yield* request.text
  const parsed = Result.try(() => JsonRpc.parse(body))
  if (Result.isFailure(parsed)) return HttpServerResponse.jsonUnsafe(JsonRpc.refusal(null, JsonRpc.errors.parse("it ends or goes on where it may not")), { status: 400 })
  const door: Door = { headers: request.headers, url: request.originalUrl, body, address: undefined, agent: false }
  const value = parsed.success
  if (!Array.isArray(value)) {
    const answered = yield* one(value, door)
    if (answered === undefined) return HttpServerResponse.empty({ status: 202 })
    return HttpServerResponse.jsonUnsafe(answered.body, { status: answered.status, headers: answered.headers })
  }
  if (value.length === 0 || value.length > MOST_IN_A_BATCH) {
    return HttpServerResponse.jsonUnsafe(JsonRpc.refusal(null, JsonRpc.errors.invalid(`a batch holds 1 to ${MOST_IN_A_BATCH} requests`)), { status: 400 })
  }
  const answers = yield* Effect.forEach(value, (part) => one(part, door), { concurrency: 4 })
  const bodies = answers.flatMap((answered) => answered === undefined ? [] : [answered.body])
  return bodies.length === 0 ? HttpServerResponse.empty({ status: 202 }) : HttpServerResponse.jsonUnsafe(bodies)
})

/** Both paths are one door. */
export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const gate = yield* Gate
  const handler = Effect.provideService(post, Gate, gate)
  yield* router.add("POST", "/mcp", handler)
  yield* router.add("POST", "/v1/mcp", handler)
}))
