/**
 * The tools as typed procedures, for programs on Effect: `RpcClient.make(Tools)` over `POST /rpc`, one line of JSON a message. Each call
 * passes the gate like any other, with the keys and payments that the request's headers hold.
 */
import { withCreditHeaders } from "@svc/paywall/gate/credit-headers"
import { Gate } from "@svc/tool-kit/gate/model"
import type { Typed } from "@svc/tool-kit/tool"
import type { CallError } from "@svc/tool-kit/typed/errors"
import { agentTools, Tools, tools } from "@svc/tools/catalog/index"
import { ByteSize, Effect, Layer, Option, Struct } from "effect"
import { Headers, HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { limitOf } from "../mcp/body.ts"
import { guarded } from "../mcp/http.ts"
import { allowedOrigins } from "../mcp/origin.ts"

interface Options {
  readonly headers: Readonly<Record<string, string | undefined>>
}

interface AsHandler extends Struct.Lambda {
  <P, A>(self: Typed<P, A>): (payload: P, options: Options) => Effect.Effect<A, CallError, Gate>
  readonly "~lambda.out": this["~lambda.in"] extends Typed<infer P, infer A>
    ? (payload: P, options: Options) => Effect.Effect<A, CallError, Gate>
    : never
}

/** Procedures see headers alone: where the request came from travels as one, whatever its sender wrote there. */
const ADDRESS = "x-svc-address"

const withAddress = (request: HttpServerRequest.HttpServerRequest) =>
  request.modify({ headers: Headers.set(request.headers, ADDRESS, Option.getOrElse(request.remoteAddress, () => "unknown")) })

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
        }))
  )
)

const PATH = "/rpc"

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
          Effect.updateService(handler, HttpServerRequest.HttpServerRequest, withAddress),
          HttpIncomingMessage.MaxBodySize,
          ByteSize.kibibytes(most)
        )))
    )
  )
})).pipe(
  Layer.provide(Tools.toLayer(Struct.map({ ...tools, ...agentTools }, asHandler))),
  Layer.provide(RpcSerialization.layerNdjson)
)
