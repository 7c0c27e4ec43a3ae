/** The handlers of the write-off routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { OperatorWriteOffsGroup, WriteOffsGroup } from "./api.ts"
import { WriteOffs } from "./service.ts"

const merchants = HttpApiBuilder.group(HttpApi.make("svc").add(WriteOffsGroup), "write_offs", Effect.fnUntraced(function*(handlers) {
  const writeOffs = yield* WriteOffs
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params }) {
      return yield* writeOffs.get((yield* Caller).account.id, params.id)
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      return yield* listOwn(account.id, page, writeOffs.list(account.id, query.currency, page))
    })
  })
}))

const operators = HttpApiBuilder.group(HttpApi.make("svc").add(OperatorWriteOffsGroup), "operator_write_offs", Effect.fnUntraced(function*(handlers) {
  const writeOffs = yield* WriteOffs
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      return respond(yield* writeOffs.create({ keyed: yield* keyedRequest("write_off.create", request, payload), payload }))
    })
  })
}))

export const layer = Layer.merge(merchants, operators)
