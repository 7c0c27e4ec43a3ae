/**
 * The tools as typed procedures, for programs on Effect: `RpcClient.make(Tools)` over `POST /rpc`, one line of JSON a message. Each call
 * passes the gate like any other, with the keys and payments that the request's headers hold.
 */
import { nextId } from "@svc/kernel/values/ids"
import { keyIn } from "@svc/metering/access/model"
import { costHeader, withCreditHeaders } from "@svc/paywall/gate/credit-headers"
import { Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import type { Typed } from "@svc/tool-kit/tool"
import type { CallError } from "@svc/tool-kit/typed/errors"
import { agentTools, Tools, tools } from "@svc/tools/catalog/index"
import { ByteSize, Effect, Layer, Option, Struct } from "effect"
import { Headers, HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { limitOf } from "../mcp/body.ts"
import { guarded } from "../mcp/http.ts"
import { allowedOrigins } from "../mcp/origin.ts"

interface Options {
  /** Of JSON, which holds what its sender likes: values of other types are passed over. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

interface AsHandler extends Struct.Lambda {
  <P, A>(self: Typed<P, A>): (payload: P, options: Options) => Effect.Effect<A, CallError, Gate | Site>
  readonly "~lambda.out": this["~lambda.in"] extends Typed<infer P, infer A>
    ? (payload: P, options: Options) => Effect.Effect<A, CallError, Gate | Site>
    : never
}

const PATH = "/rpc"

const REQUEST = "x-svc-rpc-request"

const marked = (id: string) => (request: HttpServerRequest.HttpServerRequest) =>
  request.modify({
    headers: Headers.setAll(request.headers, { [ADDRESS]: Option.getOrElse(request.remoteAddress, () => "unknown"), [REQUEST]: id })
  })

/** The answers of the gate to the calls of each request that runs, for the headers of its response. */
const answersOf = new Map<string, Array<ToolAnswer>>()

/** A response that is whole says what its calls cost; one that is a stream began before. */
const withCost = <R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>) =>
  Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const id = yield* nextId("req")
    const answers: Array<ToolAnswer> = []
    answersOf.set(id, answers)
    const response = yield* Effect.updateService(handler, HttpServerRequest.HttpServerRequest, marked(id)).pipe(
      Effect.ensuring(Effect.sync(() => answersOf.delete(id)))
    )
    const isTold = keyIn(headers) !== undefined && response.body._tag !== "Stream"
    return isTold ? HttpServerResponse.setHeaders(response, costHeader(answers)) : response
  })

const asHandler = Struct.lambda<AsHandler>(({ name, typed }) => (payload, { headers }) =>
  Effect.flatMap(
    Gate,
    (gate) =>
      typed(payload, (args) =>
        gate.call({
          name,
          arguments: args,
          headers,
          meta: {},
          url: `http://${headers["host"] ?? "localhost"}/rpc`,
          address: headers[ADDRESS]
        }).pipe(Effect.tap((answer) => Effect.sync(() => answersOf.get(headers[REQUEST] ?? "")?.push(answer)))))
  )
)

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const guard = guarded(yield* allowedOrigins)
  const gate = yield* Gate
  const limit = Effect.provideService(Effect.flatMap(HttpServerRequest.HttpServerRequest, limitOf), Gate, gate)
  const handler = yield* RpcServer.toHttpEffect(Tools, { disableFatalDefects: true })
  yield* router.add(
    "POST",
    PATH,
    guard(
      withCreditHeaders(gate)(Effect.flatMap(limit, (most) =>
        Effect.provideService(
          withCost(handler),
          HttpIncomingMessage.MaxBodySize,
          ByteSize.kibibytes(most)
        )))
    )
  })
  yield* router.add("POST", PATH, guard(handled))
})).pipe(
  Layer.provide(Tools.toLayer(Struct.map({ ...tools, ...agentTools }, asHandler))),
  Layer.provide(RpcSerialization.layerNdjson)
)
