/**
 * The outermost layer of every answer: a request id, the API version, that no cache keeps it, and for every refusal, the
 * framework's own included, the wire shape of an error.
 */
import { Disk, DISK_FULL_RETRY_AFTER, isDiskFull, isUnreachable, UNREACHABLE_RETRY_AFTER } from "@svc/kernel/database/unreachable"
import { RequestId } from "@svc/kernel/parts/request-id"
import { CURRENT_API_VERSION, endOfLife, isServed, Releases } from "@svc/kernel/resource/api-version"
import { errorCodes } from "@svc/kernel/resource/errors"
import type { ErrorCodeName } from "@svc/kernel/resource/errors"
import { makeId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { Cause, Clock, Context, Effect, Predicate, References, Result } from "effect"
import { HttpBody, HttpRouter, HttpServerError, HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { refusalOf } from "./head.ts"
import type { HeadRefusal } from "./head.ts"

type Response = HttpServerResponse.HttpServerResponse

interface WireError extends Record<string, unknown> {
  readonly error: string
  readonly message: string
}

const byStatus = new Map<number, ErrorCodeName>([
  [400, "validation_error"],
  [401, "unauthorized"],
  [404, "not_found"],
  [405, "method_not_allowed"],
  [413, "payload_too_large"],
  [415, "unsupported_media_type"]
])

const wireError = (name: ErrorCodeName, extra: Record<string, unknown> = {}): WireError => ({
  error: name,
  message: `${errorCodes[name].meaning} ${errorCodes[name].next}`,
  ...extra
})

const errorResponse = (name: ErrorCodeName, extra?: Record<string, unknown>): Response =>
  HttpServerResponse.jsonUnsafe(wireError(name, extra), { status: errorCodes[name].status })

const refuse = ({ name, ...extra }: HeadRefusal): Response => errorResponse(name, { ...extra })

const decoder = new TextDecoder()

const bodyOf = (response: Response): WireError | undefined => {
  if (response.body._tag !== "Uint8Array") return undefined
  try {
    const parsed = parseJson(decoder.decode(response.body.body))
    return Predicate.isObject(parsed) && Predicate.hasProperty(parsed, "error") && Predicate.isString(parsed.error)
        && Predicate.hasProperty(parsed, "message") && Predicate.isString(parsed.message)
      ? { ...parsed, error: parsed.error, message: parsed.message }
      : undefined
  } catch {
    return undefined
  }
}

const retryAfter = (body: WireError): string | undefined =>
  Predicate.isObject(body.details) && Predicate.hasProperty(body.details, "retry_after") ? String(body.details.retry_after) : undefined

/** What a person reads, such as the simulator's page. */
const isPage = ({ body }: Response): boolean => body._tag === "Uint8Array" && body.contentType.startsWith("text/html")

const PROBLEM = "application/problem+json"
const JSON_RPC = /^\[?\{"jsonrpc":"2\.0"/

/** A refusal in the form of another protocol: JSON-RPC, and the problems of RFC 9457. */
const isForeign = ({ body }: Response): boolean =>
  body._tag === "Uint8Array" && (body.contentType === PROBLEM || JSON_RPC.test(body.text ?? ""))

/** Stored answers keep their bytes; every other refusal of a program's request gets the request id and the wire shape. */
const finishError = (response: Response, request_id: string): Response => {
  const errorBody = bodyOf(response)
  const body = errorBody ?? wireError(byStatus.get(response.status) ?? "internal", response.status === 400 ? { code: "body" } : {})
  const seconds = retryAfter(body)
  const finished = "idempotent-replayed" in response.headers ? response : HttpServerResponse.jsonUnsafe({ ...body, request_id }, {
    status: errorBody === undefined && !byStatus.has(response.status) ? 500 : response.status,
    headers: response.headers.allow === undefined ? kept(response) : { ...kept(response), allow: response.headers.allow }
  })
  return seconds === undefined ? finished : HttpServerResponse.setHeader(finished, "retry-after", seconds)
}

/** Bytes from which on an answer is kept until it was taken. */
const LARGE = 1024 * 1024

/** Kept as bytes, which lie outside of V8's heap. Its text would be kept beside the bytes that are on their way. */
const asBytes = (response: Response): Response => {
  const { body } = response
  return body._tag === "Uint8Array" && body.text !== undefined && body.contentLength >= LARGE
    ? HttpServerResponse.setBody(response, HttpBody.uint8Array(Buffer.from(body.text), body.contentType))
    : response
}

const kept = (response: Response): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response.headers).filter(([name]) =>
      name.startsWith("ratelimit-") || name.startsWith("x-svc-") || name === "www-authenticate" || name === "retry-after"
    )
  )

const refuseDefect = (defect: unknown) => {
  if (HttpServerRespondable.isRespondable(defect)) return Effect.orDie(HttpServerRespondable.toResponse(defect))
  if (isDiskFull(defect)) {
    return Effect.andThen(Disk.noteFull, Effect.as(Effect.logError("the disk of the database is full", defect), refuseFull))
  }
  return isUnreachable(defect)
    ? Effect.as(
      Effect.logError("the database cannot be reached", defect),
      errorResponse("service_unavailable", { details: { retry_after: UNREACHABLE_RETRY_AFTER } })
    )
    : Effect.as(Effect.logError("a request failed unexpectedly", defect), errorResponse("internal"))
}

const refuseFull = errorResponse("service_unavailable", {
  message: `The database cannot store anything at the moment; what is stored can be read. ${errorCodes.service_unavailable.next}`,
  details: { retry_after: DISK_FULL_RETRY_AFTER }
})

/** The service stops, and did not wait any longer. A client that went away interrupts its request, too, and nobody is there to be told. */
const isStopping = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) && !cause.reasons.some(({ annotations }) => annotations.has(HttpServerError.ClientAbort.key))

/** What no route has foreseen: a defect, or the end of the service. */
const unforeseen = <E>(cause: Cause.Cause<E>): Result.Result<Effect.Effect<Response>, Cause.Cause<E>> =>
  isStopping(cause) ? Result.succeed(refuseStopping) : Result.map(Cause.findDefect(cause), refuseDefect)

const refuseStopping = Effect.as(
  Effect.logError("a request was given up: the service is stopping"),
  errorResponse("service_unavailable", {
    message: `The service is stopping, and what was under way may or may not have happened. ${errorCodes.service_unavailable.next}`,
    details: { retry_after: UNREACHABLE_RETRY_AFTER }
  })
)

/** The request's id, for its answer and its lines of the log, in one change of the context. */
const named = <A, E, R>(app: Effect.Effect<A, E, R>, request_id: string): Effect.Effect<A, E, R> =>
  Effect.updateContext(
    app,
    (context: Context.Context<R>) =>
      Context.add(Context.add(context, RequestId, request_id), References.CurrentLogAnnotations, {
        ...Context.get(context, References.CurrentLogAnnotations),
        request_id
      })
  )

// One generator function for all requests: docs/decisions/0014.
const finish = Effect.fnUntraced(function*<E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const millis = yield* Clock.currentTimeMillis
  const request_id = makeId("req", millis)
  const releases = yield* Releases
  const requestedVersion = request.headers["api-version"]
  const refused = refusalOf(request, releases, millis)
  const response = refused !== undefined
    ? refuse(refused)
    : yield* named(Effect.catchCauseFilter(app, unforeseen, (refusal) => refusal), request_id)
  return HttpServerResponse.setHeaders(
    response.status >= 400 && !isPage(response) && !isForeign(response) ? finishError(response, request_id) : asBytes(response),
    {
      "request-id": request_id,
      // Some answers hold a secret, all others somebody's money: no cache keeps any, but for those that say otherwise.
      "cache-control": response.headers["cache-control"] ?? "no-store",
      "api-version": CURRENT_API_VERSION,
      ...(requestedVersion === undefined || !isServed(releases, requestedVersion, millis)
        ? undefined
        : { "api-version": requestedVersion, ...endOfLife(releases, requestedVersion, millis) })
    }
  )
})

export const layer = HttpRouter.middleware((app) => finish(app), { global: true })
