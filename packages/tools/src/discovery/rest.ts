/** Two tools as routes of REST: `POST /v1/analyze` and `DELETE /v1/snapshots/{id}`. They pass the gate as every call does. */
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { Effect, Option, Result } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type AnswerHeaders, Gate, type ToolAnswer } from "../gate/model.ts"
import { withStanding } from "../gate/standing.ts"
import { textOf } from "../mcp/body.ts"
import { parse } from "../mcp/json-rpc.ts"
import { json, paymentRequired, type Response } from "../mcp/responses.ts"
import { Site } from "../services/site.ts"

/** Domain failures that another status than 422 fits. */
const STATUS: Readonly<Record<string, number>> = { snapshot_not_found: 404, invalid_url: 400, fetch_failed: 502, file_limit: 413 }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null && !Array.isArray(value)

const failed = (result: unknown, headers: AnswerHeaders): Response => {
  const error = isRecord(result) && isRecord(result["error"]) ? result["error"] : {}
  const { code = "failed", message = "The tool failed.", ...details } = error
  return json({ error: code, message, details }, STATUS[String(code)] ?? 422, headers)
}

/** `done` is the status of a success. */
const shaped = (answer: ToolAnswer, done: number): Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest> => {
  switch (answer._tag) {
    case "PaymentRequired":
      return paymentRequired(answer)
    case "Pending":
      return Effect.succeed(json({ call_id: answer.call_id, status_url: answer.status_url }, 202, { location: answer.status_url, ...answer.headers }))
    case "Refused": {
      const { code, ...details } = answer.data
      return Effect.succeed(json({ error: code.toLowerCase(), message: answer.message, details }, answer.status, {
        ...(answer.status === 401 ? { "www-authenticate": "Bearer realm=\"svc\"" } : {}),
        ...answer.headers
      }))
    }
    case "Answered": {
      const { headers, isError, result } = answer
      if (isError) return Effect.succeed(failed(result, headers))
      if (isRecord(result) && result["_not_configured"] === true) {
        return Effect.succeed(json({ error: "not_configured", message: `${String(result["detail"])} ${String(result["remediation"])}`, ...result }, 501, headers))
      }
      return Effect.succeed(isRecord(result) ? json(result, done, headers) : json({ result }, done, headers))
    }
  }
}

interface Asked {
  readonly name: string
  readonly args: unknown
  readonly path: string
  readonly body?: string
}

const call = Effect.fnUntraced(function*({ args, body, name, path }: Asked, done: number) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { tools_url } = yield* Site
  const gate = yield* Gate
  const answer = yield* gate.call({
    name,
    arguments: args,
    headers: request.headers,
    meta: {},
    url: `${tools_url}${path}`,
    address: Option.getOrUndefined(request.remoteAddress),
    ...(body === undefined ? {} : { body })
  })
  return yield* shaped(answer, done)
})

const analyze = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const read = yield* Effect.result(textOf(request, BODY_KIB))
  if (Result.isFailure(read)) return json({ error: "validation_error", code: "body", message: `body: ${read.failure.error.message}` }, read.failure.status)
  const parsed = parse(read.success)
  if ("error" in parsed) return json({ error: "validation_error", code: "body", message: "body: must be JSON, an object with github_url" }, 400)
  return yield* call({ name: "analyze_repo", args: parsed.value, path: "/v1/analyze", body: read.success }, 201)
})

const remove = Effect.gen(function*() {
  const { id = "" } = yield* HttpRouter.params
  return yield* call({ name: "delete_snapshot", args: { snapshot_id: id }, path: `/v1/snapshots/${id}` }, 200)
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const [gate, site] = [yield* Gate, yield* Site]
  const provided = <E, R>(handler: Effect.Effect<Response, E, R>) => withStanding(gate)(handler.pipe(Effect.provideService(Gate, gate), Effect.provideService(Site, site)))
  yield* router.add("POST", "/v1/analyze", provided(analyze))
  yield* router.add("DELETE", "/v1/snapshots/:id", provided(remove))
}))
