/**
 * How pages ask: as requests to the payments API within this process, in the name of the person who is signed in. So a page can do what a
 * route does, by the same scope and permit, and nothing else.
 */
import { SignedIn, type SignedInPerson } from "@svc/accounts/access/model"
import { AnsweredFor } from "@svc/kernel/http/answered-for"
import { Continues } from "@svc/kernel/parts/continues"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Effect, type Scope, type Stream } from "effect"
import { HttpBody, HttpClientRequest, type HttpMethod, type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

/** The bytes of a file, as they come. */
export interface Upload {
  readonly type: string
  readonly bytes: Stream.Stream<Uint8Array, unknown>
}

export interface Question {
  readonly method: HttpMethod.HttpMethod
  /** The path with its query, such as `/v1/payouts?status=pending`. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** In the place of a body of JSON. */
  readonly upload?: Upload
  readonly headers?: Readonly<Record<string, string>>
  /** It goes on with what an earlier question began, such as the second page of an export: it counts for no limit again. */
  readonly continues?: boolean
}

/** What a route answered. */
export interface Answer {
  readonly status: number
  /** The object of a JSON answer; empty where it was none. */
  readonly json: Readonly<Record<string, unknown>>
  /** The whole answer, for a page that passes on a file. */
  readonly response: HttpServerResponse.HttpServerResponse
}

export type Ask = (
  person: SignedInPerson,
  question: Question
) => Effect.Effect<Answer, never, HttpServerRequest.HttpServerRequest | Scope.Scope>

const decoder = new TextDecoder()

export const isJson = ({ body }: HttpServerResponse.HttpServerResponse): boolean =>
  body._tag === "Uint8Array" && /^application\/(?:[\w.+-]+\+)?json\b/u.test(body.contentType)

const jsonOf = (response: HttpServerResponse.HttpServerResponse): Readonly<Record<string, unknown>> => {
  if (!isJson(response) || response.body._tag !== "Uint8Array") return {}
  const json = parseJson(decoder.decode(response.body.body))
  return isRecord(json) ? json : {}
}

const requestOf = ({ body, headers = {}, method, path, upload }: Question): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(path).pipe(
    HttpClientRequest.setHeaders({ host: "localhost", accept: "application/json", ...headers }),
    upload !== undefined
      ? HttpClientRequest.setBody(HttpBody.stream(upload.bytes, upload.type))
      : body === undefined
      ? (request) => request
      : HttpClientRequest.setBody(HttpBody.jsonUnsafe(body))
  )

/** `router` has all routes by the time of the first request. */
export const asking = (router: HttpRouter.HttpRouter): Ask => {
  let app: ReturnType<HttpRouter.HttpRouter["asHttpEffect"]> | undefined
  return Effect.fnUntraced(function*(person, question) {
    app ??= router.asHttpEffect()
    const outer = yield* HttpServerRequest.HttpServerRequest
    const request = HttpServerRequest.fromClientRequest(requestOf(question)).modify({ remoteAddress: outer.remoteAddress })
    const response = yield* Effect.orDie(app).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.provideService(AnsweredFor, outer),
      Effect.provideService(SignedIn, person),
      Effect.provideService(Continues, question.continues === true)
    )
    return { status: response.status, json: jsonOf(response), response }
  })
}
