/** The handlers of the write-off routes. */
import { listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { OperatorWriteOffsGroup, WriteOffsGroup } from "./api.ts"
import { WriteOffs } from "./service.ts"

const merchants = HttpApiBuilder.group(
  HttpApi.make("svc").add(WriteOffsGroup),
  "write_offs",
  Effect.fnUntraced(function*(handlers) {
    const writeOffs = yield* WriteOffs
    return handlers.handleAll({
      get: retrieving(writeOffs.get),
      list: listing(writeOffs.list)
    })
  })
)

const operators = HttpApiBuilder.group(
  HttpApi.make("svc").add(OperatorWriteOffsGroup),
  "operator_write_offs",
  Effect.fnUntraced(function*(handlers) {
    const writeOffs = yield* WriteOffs
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ payload, request }) {
        return respond(yield* writeOffs.create({ keyed: yield* keyedRequest("write_off.create", request, payload), payload }))
      })
    })
  })
)

export const layer = Layer.merge(merchants, operators)
