/** The handlers of the write-off routes. */
import { Operator } from "@svc/accounts/access/model"
import { listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { Effect, Layer } from "effect"
import { OperatorWriteOffsGroup, WriteOffsGroup } from "./api.ts"
import { WriteOffs } from "./service.ts"

const merchants = handlersOf(
  WriteOffsGroup,
  WriteOffs,
  (handlers, writeOffs) => handlers.handleAll({ get: retrieving(writeOffs.get), list: listing(writeOffs.list) })
)

const operators = handlersOf(OperatorWriteOffsGroup, WriteOffs, (handlers, writeOffs) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function*({ query }) {
      const page = yield* Effect.fromResult(checkPage(query))
      return yield* listOwn((yield* Operator).keyId, page, writeOffs.listEverybodys(query, page))
    }),
    get: ({ params }) => writeOffs.getAnybodys(params.id),
    create: Effect.fnUntraced(function*({ payload, request }) {
      return respond(yield* writeOffs.create({ keyed: yield* keyedRequest("write_off.create", request, payload), payload }))
    })
  }))

export const layer = Layer.merge(merchants, operators)
