/** JSON-RPC without a session, as the contract shows it: 2025-03-26, answered as JSON whatever the caller accepts. */
import { costHeader } from "@svc/paywall/gate/credit-headers"
import type { ToolAnswer } from "@svc/tool-kit/gate/model"
import { Effect, Fiber } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { MethodAnswer } from "./answers.ts"
import { sorted } from "./incoming.ts"
import { errors, isProtocols, refusal } from "./json-rpc.ts"
import { answer, type Door, type MethodServices } from "./methods.ts"
import { noClientCapabilities } from "./peer.ts"
import { accepted, json, type Response } from "./responses.ts"
import { guarded, type Request } from "./run.ts"
import { send402 } from "./send-402.ts"
import { Sessions } from "./sessions.ts"
import { message, shape, shapeTool } from "./shapes.ts"

const overHttp = (id: Request["id"], tool: ToolAnswer) => {
  const body = message(id, shapeTool(tool))
  switch (tool._tag) {
    case "PaymentRequired":
      return send402(tool)
    case "Pending":
      return Effect.succeed(json(body, 202, { location: tool.status_url, ...tool.headers }))
    case "Refused":
      return Effect.succeed(json(body, isProtocols(tool.code) ? 200 : tool.status, {
        // RFC 9110, section 15.5.2.
        ...(tool.status === 401 ? { "www-authenticate": "Bearer realm=\"svc\"" } : {}),
        ...tool.headers
      }))
    case "Answered":
      return Effect.succeed(json(body, 200, tool.headers))
  }
}

/** The run outlives the connection: what was paid for is finished, and answers a retry. */
const run = Effect.fnUntraced(function*(request: Request, door: Door) {
  const { scope } = yield* Sessions
  return yield* Fiber.join(yield* Effect.forkIn(guarded(answer(request, door, noClientCapabilities)), scope))
})

/** One message: what it costs and who may call it is told by HTTP. */
export const single = Effect.fnUntraced(
  function*(
    value: unknown,
    door: Door
  ): Effect.fn.Return<Response, never, MethodServices | Sessions | HttpServerRequest.HttpServerRequest> {
    const { invalid: [refused], requests: [request] } = sorted([value])
    if (refused !== undefined) return json(refused, 400)
    if (request === undefined) return accepted()
    const of = yield* run(request, door)
    return of._tag === "Tool" ? yield* overHttp(request.id, of.answer) : json(message(request.id, shape(of)))
  }
)

/** What a batch cost is told to whoever has shown a key. */
export const batchHeaders = (answers: ReadonlyArray<MethodAnswer>, { key }: Door): Readonly<Record<string, string>> =>
  key === undefined ? {} : costHeader(answers.flatMap((of) => of._tag === "Tool" ? [of.answer] : []))

/** Runs of one batch at a time. */
const AT_ONCE = 4

/** Several in one body: each has its own answer, and payment is asked for in band. */
export const batch = Effect.fnUntraced(
  function*(values: ReadonlyArray<unknown>, door: Door): Effect.fn.Return<Response, never, MethodServices | Sessions> {
    const { limits } = yield* Sessions
    if (values.length === 0 || values.length > limits.batch) {
      return json(refusal(null, errors.invalid(`a batch holds 1 to ${limits.batch} messages`)), 400)
    }
    const { invalid, requests } = sorted(values, true)
    const answers = yield* Effect.forEach(requests, (request) => run(request, door), { concurrency: AT_ONCE })
    const bodies = [...invalid, ...requests.flatMap(({ id }, n) => answers[n] === undefined ? [] : [message(id, shape(answers[n]))])]
    return bodies.length === 0 ? accepted() : json(bodies, 200, batchHeaders(answers, door))
  }
)
