/** The doors of MCP: `/mcp` and `/v1/mcp` are one, and beside them stand those of the transport with two addresses. */
import { keyIn } from "@svc/metering/access/model"
import { Gate } from "@svc/tool-kit/gate/model"
import { Directory } from "@svc/tool-kit/services/directory"
import { Site } from "@svc/tool-kit/services/site"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as bare from "./bare.ts"
import { limitOf, textOf } from "./body.ts"
import { Extras } from "./extras.ts"
import { errors, parse } from "./json-rpc.ts"
import * as messages from "./messages.ts"
import type { Door, MethodServices } from "./methods.ts"
import * as modern from "./modern.ts"
import { allowedOrigins, cors } from "./origin.ts"
import { refused, type Response } from "./responses.ts"
import * as sessions from "./sessions.ts"
import { Sessions } from "./sessions.ts"
import * as streamable from "./streamable.ts"

type Services = MethodServices | Sessions | HttpServerRequest.HttpServerRequest
type Handler = Effect.Effect<Response, never, Services>

/** The address is the public one, whatever a proxy writes into `Host`. */
const doorOf = ({ headers, remoteAddress, url }: HttpServerRequest.HttpServerRequest, { tools_url }: Site["Service"]): Door => {
  const key = keyIn(headers)
  return {
    headers,
    url: `${tools_url}${url}`,
    address: Option.getOrUndefined(remoteAddress),
    agent: key?.startsWith("agk_") === true,
    key
  }
}

const withoutBody = (handle: (door: Door, request: HttpServerRequest.HttpServerRequest) => Handler): Handler =>
  Effect.flatMap(
    Site,
    (site) => Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => handle(doorOf(request, site), request))
  )

const withBody = (handle: (value: unknown, door: Door) => Handler): Handler =>
  withoutBody((door, request) =>
    Effect.matchEffect(Effect.flatMap(limitOf(request), (most) => textOf(request, most)), {
      onFailure: ({ error, status }) => Effect.succeed(refused(status, error)),
      onSuccess: (body) => {
        const parsed = parse(body)
        return "error" in parsed
          ? Effect.succeed(refused(400, parsed.error, parsed.id))
          : handle(parsed.value, { ...door, body })
      }
    })
  )

const isInitialize = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "method" in value && value.method === "initialize"

/** Which rules a body is under. */
const post = withBody((value, door) => {
  if (modern.isModern(value, door)) return modern.post(value, door)
  if (isInitialize(value)) return streamable.initialize(value, door)
  if (door.headers[streamable.SESSION] !== undefined) return streamable.post(value, door)
  return Array.isArray(value) ? bare.batch(value, door) : bare.single(value, door)
})

const forbidden = Effect.succeed(
  refused(403, errors.invalid("its Origin is not one of those that may call. The installation names them in MCP_ALLOWED_ORIGINS"))
)

/** Before everything else: a page of another site must not even be answered. */
export const guarded = (allowed: (origin: string) => boolean) => {
  const withCors = cors(allowed)
  return <E, R>(handler: Effect.Effect<Response, E, R>): Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
      const { origin } = headers
      if (origin === undefined) return handler
      return allowed(origin) ? withCors(handler) : forbidden
    })
}

const options = Effect.succeed(HttpServerResponse.empty({ status: 204, headers: { allow: "GET, POST, DELETE, OPTIONS" } }))

const routes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  // One by one: another context to merge with would have the whole of each request's copied.
  const [gate, site, directory, held, extras] = [yield* Gate, yield* Site, yield* Directory, yield* Sessions, yield* Extras]
  const provided = (handler: Handler) =>
    handler.pipe(
      Effect.provideService(Gate, gate),
      Effect.provideService(Site, site),
      Effect.provideService(Directory, directory),
      Effect.provideService(Sessions, held),
      Effect.provideService(Extras, extras)
    )
  const guard = guarded(yield* allowedOrigins)
  const add = (method: "GET" | "POST" | "DELETE" | "OPTIONS", path: `/${string}`, handler: Handler) =>
    router.add(method, path, guard(provided(handler)))
  for (const path of ["/mcp", "/v1/mcp"] as const) {
    yield* add("POST", path, post)
    yield* add("GET", path, withoutBody(streamable.get))
    yield* add("DELETE", path, withoutBody(streamable.remove))
    yield* add("OPTIONS", path, options)
  }
  for (const path of messages.paths) {
    yield* add("GET", path.stream, withoutBody(messages.open(path.messages)))
    yield* add("POST", path.messages, withBody(messages.post))
    yield* add("OPTIONS", path.stream, options)
    yield* add("OPTIONS", path.messages, options)
  }
}))

export const layer = routes.pipe(Layer.provide(sessions.layer))
