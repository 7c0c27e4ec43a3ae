/** A request and its answer in an older version of the API. Nothing here runs for the current one. */
import { Effect, Predicate, Result } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpEffect } from "effect/http"
import type { ValidationError } from "../resource/errors.ts"
import { concerns, downgrade, downgradeField, upgrade, type VersionChange } from "../resource/version-change.ts"
import { parseJson } from "../values/json.ts"

/** What a request is about, and in which version it is read and answered. */
export interface VersionedRequest {
  /** What changed since, newest first. */
  readonly changes: ReadonlyArray<VersionChange>
  readonly operation: string
}

const parsed = (text: string): Result.Result<unknown, undefined> => {
  try {
    return Result.succeed(parseJson(text))
  } catch {
    return Result.fail(undefined)
  }
}

/** The request with another body. Everything else of it stays, also what its server keeps of it. */
const withText = (request: HttpServerRequest.HttpServerRequest, text: string): HttpServerRequest.HttpServerRequest => {
  const bytes = new TextEncoder().encode(text)
  const own = <A>(value: A) => ({ value, enumerable: true })
  const changed: HttpServerRequest.HttpServerRequest = Object.create(request, {
    text: own(Effect.succeed(text)),
    arrayBuffer: own(Effect.succeed(bytes.buffer))
  })
  return changed
}

/** The request as the newest version would have sent it. What is no JSON is left to whoever reads it. */
export const upgraded = Effect.fnUntraced(
  function*(
    request: HttpServerRequest.HttpServerRequest,
    { changes, operation }: VersionedRequest
  ): Effect.fn.Return<HttpServerRequest.HttpServerRequest, ValidationError> {
    if (!changes.some(({ requests }) => requests.includes(operation))) return request
    const text = yield* Effect.orDie(request.text)
    const body = parsed(text)
    if (text === "" || Result.isFailure(body)) return request
    return withText(request, JSON.stringify(yield* Effect.fromResult(upgrade(changes, operation, body.success))))
  }
)

const decoder = new TextDecoder()

/** A refusal names the fields that were sent. */
const namingFields = ({ changes, operation }: VersionedRequest, json: unknown): unknown => {
  if (!Predicate.isObject(json) || !("error" in json) || !("code" in json) || typeof json.code !== "string") return json
  const code = downgradeField(changes, operation, json.code)
  const message = "message" in json && typeof json.message === "string" && json.message.startsWith(`${json.code}:`)
    ? `${code}${json.message.slice(json.code.length)}`
    : undefined
  return { ...json, code, ...(message === undefined ? {} : { message }) }
}

/** The answer as the version of the request has it. */
export const downgraded = (versioned: VersionedRequest, headers: Readonly<Record<string, string>>): HttpEffect.PreResponseHandler => {
  const walk = downgrade(versioned.changes)
  return (_request, response) => {
    const { body } = response
    const finished = HttpServerResponse.setHeaders(response, headers)
    if (body._tag !== "Uint8Array" || !body.contentType.startsWith("application/json")) return Effect.succeed(finished)
    const text = decoder.decode(body.body)
    if (response.status < 400 && !concerns(versioned.changes, text)) return Effect.succeed(finished)
    const json = parsed(text)
    return Effect.succeed(
      Result.isFailure(json)
        ? finished
        : HttpServerResponse.setBody(finished, HttpBody.text(JSON.stringify(namingFields(versioned, walk(json.success))), body.contentType))
    )
  }
}
