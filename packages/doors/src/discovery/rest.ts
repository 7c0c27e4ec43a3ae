/**
 * What the analyzer does as routes of REST. With a key, `POST /v1/analyze` and `DELETE /v1/snapshots/{id}` pass the gate as every call of a
 * tool does.
 */
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { networkOf } from "@svc/kernel/values/network"
import { isRecord } from "@svc/kernel/values/record"
import { CallLimit } from "@svc/metering/rate-limits/call-limit"
import { rateRefusal } from "@svc/paywall/gate/checks"
import { backend } from "@svc/tool-kit/backend"
import { WebUrl } from "@svc/tool-kit/fields"
import { type AnswerHeaders, Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { answerOf, outcomeOf, type ToolOutcome } from "@svc/tool-kit/outcome"
import { Site } from "@svc/tool-kit/services/site"
import { Analyzer } from "@svc/tool-kit/services/snapshots"
import { Context, Effect, Option, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { textOf } from "../mcp/body.ts"
import { parse } from "../mcp/json-rpc.ts"
import { json, type Response } from "../mcp/responses.ts"
import { send402 } from "../mcp/send-402.ts"

/** Domain failures that another status than 422 fits. */
const STATUS: Readonly<Record<string, number>> = {
  snapshot_not_found: 404,
  program_not_found: 404,
  content_discarded: 409,
  invalid_url: 400,
  invalid_request: 400,
  fetch_failed: 502,
  file_limit: 413,
  snapshot_limit: 429
}

type Needed = CallLimit | Gate | Site | Analyzer

const decodeRepository = Schema.decodeUnknownResult(Schema.Struct({ github_url: WebUrl }), { onExcessProperty: "error" })

const failed = (result: unknown, headers: AnswerHeaders): Response => {
  const error = isRecord(result) && isRecord(result["error"]) ? result["error"] : {}
  const { code = "failed", message = "The tool failed.", ...details } = error
  return json({ error: code, message, details }, STATUS[String(code)] ?? 422, headers)
}

/** Reasons that pass by themselves. */
const PASSING: ReadonlySet<unknown> = new Set(["store_busy", "sandbox_busy", "backend_installing"])
const RETRY_AFTER = 5

const away = ({ detail, reason, remediation, ...more }: Readonly<Record<string, unknown>>, headers: AnswerHeaders): Response => {
  const message = `${String(detail)} ${String(remediation)}`
  const body = { message, ...more, detail, reason, remediation }
  return PASSING.has(reason)
    ? json({ error: String(reason), ...body, details: { retry_after: RETRY_AFTER } }, 503, {
      ...headers,
      "retry-after": String(RETRY_AFTER)
    })
    : json({ error: "not_configured", ...body }, 501, headers)
}

/** `done` is the status of a success. */
const shaped = (answer: ToolAnswer, done: number): Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest> => {
  switch (answer._tag) {
    case "PaymentRequired":
      return send402(answer)
    case "Pending":
      return Effect.succeed(
        json({ call_id: answer.call_id, status_url: answer.status_url }, 202, { location: answer.status_url, ...answer.headers })
      )
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
      if (isRecord(result) && result["_not_configured"] === true) return Effect.succeed(away(result, headers))
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

/** What shows who calls, or pays. Without any of these a request is nobody's. */
const CREDENTIALS = ["authorization", "x-svc-key", "payment-authorization", "payment-signature", "x-payment"]

/** Why the arguments name no repository: without a key there is nothing else that could be asked for. */
const notAsked = (args: unknown, { message }: Schema.SchemaError) =>
  isRecord(args) && "github_url" in args
    ? refuse("INVALID_ARGUMENTS", message)
    : refuse("AUTH_REQUIRED", "Without one, send github_url of a public repository for its free artifacts.")

/** After which a network has its snapshots again, whenever it made the first of them. */
const HOUR_SECONDS = 3600

/** The free artifacts for somebody without a key: no call of a tool, so nothing of it is metered. */
const analyzeForNobody = Effect.fnUntraced(function*(args: unknown, request: HttpServerRequest.HttpServerRequest) {
  const decoded = decodeRepository(args)
  if (Result.isFailure(decoded)) return notAsked(args, decoded.failure)
  const address = Option.getOrUndefined(request.remoteAddress)
  const limit = yield* CallLimit
  const refused = rateRefusal(yield* limit.take(undefined, address))
  if (refused !== undefined) return refused
  const network = networkOf(address ?? "unknown")
  const outcome = yield* Effect.match(
    Effect.flatMap(backend(Analyzer), ({ anonymous }) => anonymous(decoded.success.github_url, network)),
    { onFailure: outcomeOf, onSuccess: (result): ToolOutcome => ({ _tag: "Done", result, cents: 0 }) }
  )
  const answer = answerOf(outcome)
  return outcome._tag === "Failed" && outcome.error.code === "snapshot_limit" && answer._tag === "Answered"
    ? { ...answer, headers: { ...answer.headers, "retry-after": String(HOUR_SECONDS) } }
    : answer
})

const analyze = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const read = yield* Effect.result(textOf(request, BODY_KIB))
  if (Result.isFailure(read)) {
    return json({ error: "validation_error", code: "body", message: `body: ${read.failure.error.message}` }, read.failure.status)
  }
  const isNobody = CREDENTIALS.every((name) => request.headers[name] === undefined)
  // A client that only asks what is to be paid sends no body.
  if (isNobody && read.success === "") return yield* shaped(yield* analyzeForNobody(undefined, request), 201)
  const parsed = parse(read.success)
  if ("error" in parsed) {
    return json({ error: "validation_error", code: "body", message: "body: must be JSON, an object with github_url" }, 400)
  }
  if (isNobody) return yield* shaped(yield* analyzeForNobody(parsed.value, request), 201)
  return yield* call({ name: "analyze_repo", args: parsed.value, path: "/v1/analyze", body: read.success }, 201)
})

const remove = Effect.gen(function*() {
  const { id = "" } = yield* HttpRouter.params
  return yield* call({ name: "delete_snapshot", args: { snapshot_id: id }, path: `/v1/snapshots/${id}` }, 200)
})

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const services = Context.pick(CallLimit, Gate, Site, Analyzer)(yield* Effect.context<Needed>())
  const provided = <E>(handler: Effect.Effect<Response, E, Needed | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext>) =>
    Effect.provideContext(handler, services)
  yield* router.add("POST", "/v1/analyze", provided(analyze))
  yield* router.add("DELETE", "/v1/snapshots/:id", provided(remove))
}))
