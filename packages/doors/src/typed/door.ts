/**
 * The tools as typed procedures, for programs on Effect: `RpcClient.make(Tools)` over `POST /rpc`, one line of JSON a message. Each call
 * passes the gate like any other, with the keys and payments that the request's headers hold.
 */
import { Reference } from "@svc/kernel/values/reference"
import { keyIn } from "@svc/metering/access/model"
import { costHeader } from "@svc/paywall/gate/credit-headers"
import { Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { Site } from "@svc/tool-kit/services/site"
import type { Typed } from "@svc/tool-kit/tool"
import type { CallError } from "@svc/tool-kit/typed/errors"
import { agentTools, Tools, tools } from "@svc/tools/catalog/index"
import { ByteSize, Effect, Layer, Option, Predicate, Record, Struct } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
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

interface RpcRequest {
  readonly address: string | undefined
  /** The answers of the gate to the calls so far, for the headers of the response. */
  readonly answers: Array<ToolAnswer>
}

/**
 * The request that brings the messages. A message has headers of its own, which a procedure sees in the place of those of HTTP: they say
 * which key and terms a call has. What the connection says is never read from them.
 */
class CurrentRequest extends Reference<RpcRequest>("@svc/doors/typed/CurrentRequest", {
  defaultValue: () => ({ address: undefined, answers: [] })
}) {}

const asHandler = Struct.lambda<AsHandler>(({ name, typed }) => (payload, { headers }) =>
  Effect.gen(function*() {
    const [gate, { tools_url }, { address, answers }] = [yield* Gate, yield* Site, yield* CurrentRequest]
    const request = { name, headers: Record.filter(headers, Predicate.isString), meta: {}, url: `${tools_url}${PATH}`, address }
    const call = (args: unknown) =>
      Effect.tap(gate.call({ ...request, arguments: args }), (answer) => Effect.sync(() => answers.push(answer)))
    return yield* typed(payload, call)
  })
)

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const guard = guarded(yield* allowedOrigins)
  const gate = yield* Gate
  const limit = Effect.provideService(Effect.flatMap(HttpServerRequest.HttpServerRequest, limitOf), Gate, gate)
  const handler = yield* RpcServer.toHttpEffect(Tools, { disableFatalDefects: true })
  const handled = Effect.gen(function*() {
    const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const request: RpcRequest = { address: Option.getOrUndefined(remoteAddress), answers: [] }
    const response = yield* handler.pipe(
      Effect.provideService(CurrentRequest, request),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(yield* limit))
    )
    // A response that is a stream began before its calls.
    const isTold = keyIn(headers) !== undefined && response.body._tag !== "Stream"
    return isTold ? HttpServerResponse.setHeaders(response, costHeader(request.answers)) : response
  })
  yield* router.add("POST", PATH, guard(handled))
})).pipe(
  Layer.provide(Tools.toLayer(Struct.map({ ...tools, ...agentTools }, asHandler))),
  Layer.provide(RpcSerialization.layerNdjson)
)
