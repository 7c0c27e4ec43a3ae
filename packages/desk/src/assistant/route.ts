/** How the assistant asks the API: its routes within this process, in the name of the key or the person who asks the assistant. */
import { SignedIn } from "@svc/accounts/access/model"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Effect, type Scope } from "effect"
import { HttpClientRequest, type HttpMethod, type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

export type Row = Readonly<Record<string, unknown>>

export interface RouteQuestion {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  /** Sent as JSON. */
  readonly body?: Row
  /** Sent as `Idempotency-Key`, as every write takes it. */
  readonly key?: string
}

export interface RouteAnswer {
  readonly status: number
  /** The object of a JSON answer; empty where it was none. */
  readonly row: Row
}

export type AskRoute = (question: RouteQuestion) => Effect.Effect<RouteAnswer, never, HttpServerRequest.HttpServerRequest | Scope.Scope>

const decoder = new TextDecoder()

const rowOf = ({ body }: HttpServerResponse.HttpServerResponse): Row => {
  if (body._tag !== "Uint8Array") return {}
  const json = parseJson(decoder.decode(body.body))
  return isRecord(json) ? json : {}
}

/** `router` has all routes by the time of the first question. */
export const routing = (router: HttpRouter.HttpRouter): AskRoute => {
  let app: ReturnType<HttpRouter.HttpRouter["asHttpEffect"]> | undefined
  return Effect.fnUntraced(function*({ body, key, method, path }) {
    app ??= router.asHttpEffect()
    const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const person = yield* SignedIn
    const credential = person === undefined ? { authorization: headers["authorization"] ?? "" } : {}
    const asked = HttpClientRequest.make(method)(path).pipe(
      HttpClientRequest.setHeaders({ host: "localhost", ...credential, ...(key === undefined ? {} : { "idempotency-key": key }) }),
      body === undefined ? (request) => request : HttpClientRequest.bodyJsonUnsafe(body)
    )
    const request = HttpServerRequest.fromClientRequest(asked).modify({ remoteAddress })
    const response = yield* Effect.provideService(Effect.orDie(app), HttpServerRequest.HttpServerRequest, request)
    return { status: response.status, row: rowOf(response) }
  })
}
