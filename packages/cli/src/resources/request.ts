/** One request of the API as a command sends it: JSON in, and the answer as it came. */
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { nextId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Effect, FileSystem, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientRequest, type HttpClientResponse, type HttpMethod } from "effect/http"
import { type ApiFlags, apiFlags, placeOf } from "../connection.ts"
import { Refused } from "../failure.ts"

export const requestFlags = {
  ...apiFlags,
  apiVersion: Flag.String("api-version").pipe(
    Flag.withDescription(`The version of the API to speak; ${CURRENT_API_VERSION} unless given`),
    Flag.withDefault(CURRENT_API_VERSION)
  )
}

export interface RequestFlags extends ApiFlags {
  readonly apiVersion: string
}

/** A file that is the body. */
export interface Upload {
  readonly file: string
  readonly contentType: string
}

export interface Call {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>
  readonly body?: Readonly<Record<string, unknown>>
  readonly upload?: Upload
  readonly headers?: Readonly<Record<string, string>>
}

/** A key for an act that was given none. */
export const newKey = Effect.map(nextId("req"), (id) => `svc_${id.slice("req_".length)}`)

const bodyOf = Effect.fnUntraced(function*({ body, upload }: Call) {
  if (upload === undefined) return body === undefined ? HttpBody.empty : HttpBody.jsonUnsafe(body)
  const fs = yield* FileSystem.FileSystem
  return HttpBody.uint8Array(yield* fs.readFile(upload.file), upload.contentType)
})

/** Whether the same act may come out otherwise later. */
const mayPass = (status: number): boolean => status === 429 || status >= 500

/** How the same act is asked for again; empty where nothing was to change. */
const againBy = ({ headers = {} }: Call): string => {
  const key = headers["idempotency-key"]
  return key === undefined ? "" : ` To retry this very act, call again with --idempotency-key ${key}.`
}

const refusedBy = (call: Call, status: number, text: string): Refused => {
  const refusal = Option.getOrElse(Option.liftThrowable(() => parseJson(text))(), () => ({}))
  const { decline_code, error, message, request_id } = isRecord(refusal) ? refusal : {}
  const reason = typeof decline_code === "string" ? ` (${decline_code})` : ""
  const request = typeof request_id === "string" ? ` (${request_id})` : ""
  const said = `${typeof error === "string" ? error : `status ${status}`}${reason}: ${
    typeof message === "string" ? message : text
  }${request}`
  const key = call.headers?.["idempotency-key"]
  return new Refused({
    message: mayPass(status) ? `${said}${againBy(call)}` : said,
    json: { error: "failed", message: text, ...isRecord(refusal) ? refusal : {}, ...key === undefined ? {} : { idempotency_key: key } }
  })
}

/** The answer, where it is none of a refusal. */
export const send = Effect.fnUntraced(function*(call: Call, flags: RequestFlags) {
  const { baseUrl, explain, secretKey } = yield* placeOf(flags)
  const request = HttpClientRequest.make(call.method)(`${baseUrl.replace(/\/$/u, "")}${call.path}`).pipe(
    HttpClientRequest.appendUrlParams(call.query ?? []),
    HttpClientRequest.setHeaders({ accept: "application/json, */*;q=0.5", "api-version": flags.apiVersion, ...call.headers }),
    HttpClientRequest.bearerToken(Redacted.value(secretKey)),
    HttpClientRequest.setBody(yield* bodyOf(call))
  )
  const client = yield* HttpClient.HttpClient
  const unanswered = (error: unknown) => {
    const { message } = explain(error)
    return new Refused({ message: `${message}${againBy(call)}`, json: { error: "failed", message: `${message}${againBy(call)}` } })
  }
  const answer = yield* Effect.mapError(client.execute(request), unanswered)
  if (answer.status < 400) return answer
  const text = yield* Effect.mapError(answer.text, unanswered)
  const refused = refusedBy(call, answer.status, text)
  return yield* answer.status === 401 ? Effect.fail(explain(refused.json)) : refused
}, Effect.provide(FetchHttpClient.layer))

export const isJson = ({ headers }: HttpClientResponse.HttpClientResponse): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/u.test(headers["content-type"] ?? "")
