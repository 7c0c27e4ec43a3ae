/**
 * The tools as typed procedures, for programs on Effect: `RpcClient.make(Tools)` over `POST /rpc`, one line of JSON a message. Each call
 * passes the gate like any other, with the keys and payments that its headers hold.
 */
import { Reference } from "@svc/kernel/values/reference"
import { keyIn } from "@svc/metering/access/model"
import { costHeader } from "@svc/paywall/gate/credit-headers"
import { Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { Tools } from "@svc/tools/catalog/group"
import * as handlers from "@svc/tools/catalog/handlers"
import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { limitOf } from "../mcp/body.ts"
import { guarded } from "../mcp/http.ts"
import { allowedOrigins } from "../mcp/origin.ts"
import * as identified from "./identified.ts"

/** The answers of the gate to the calls of a request so far, for the headers of its response. */
class Answers extends Reference<Array<ToolAnswer>>("@svc/doors/typed/Answers", { defaultValue: () => [] }) {}

/** The gate, whose answers are remembered with their request. */
const listening = Layer.effect(
  Gate,
  Effect.map(Gate, (gate) => ({
    ...gate,
    call: (request) => Effect.tap(gate.call(request), (answer) => Effect.map(Answers, (answers) => answers.push(answer)))
  }))
)

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const guard = guarded(yield* allowedOrigins)
  const gate = yield* Gate
  const limit = Effect.provideService(Effect.flatMap(HttpServerRequest.HttpServerRequest, limitOf), Gate, gate)
  const handler = yield* RpcServer.toHttpEffect(Tools, { disableFatalDefects: true })
  const handled = Effect.gen(function*() {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const answers: Array<ToolAnswer> = []
    const response = yield* handler.pipe(
      Effect.provideService(Answers, answers),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(yield* limit))
    )
    // A response that is a stream began before its calls.
    const isTold = keyIn(headers) !== undefined && response.body._tag !== "Stream"
    return isTold ? HttpServerResponse.setHeaders(response, costHeader(answers)) : response
  })
  yield* router.add("POST", identified.PATH, guard(handled))
})).pipe(
  Layer.provide([Layer.provide(handlers.layer, listening), identified.layer]),
  Layer.provide(RpcSerialization.layerNdjson)
)
