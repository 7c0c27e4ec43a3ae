/** The handlers of the routes of requests to go live. */
import { Caller, Operator } from "@svc/accounts/access/model"
import { creating, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { checkPage, listOwn } from "@svc/kernel/resource/pages"
import { Effect, Layer } from "effect"
import { GoLiveRequestsGroup, OperatorGoLiveRequestsGroup } from "./api.ts"
import { GoLiveRequests } from "./service.ts"

const merchants = handlersOf(GoLiveRequestsGroup, GoLiveRequests, (handlers, requests) =>
  handlers.handleAll({
    create: creating("go_live_request.create", (command) =>
      Effect.flatMap(Caller, ({ keyId: by }) => requests.create({ ...command, payload: { by } }))),
    get: retrieving(requests.get),
    list: listing(requests.list)
  }))

const operators = handlersOf(OperatorGoLiveRequestsGroup, GoLiveRequests, (handlers, requests) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function*({ query }) {
      const page = yield* Effect.fromResult(checkPage(query))
      return yield* listOwn((yield* Operator).keyId, page, requests.listEverybodys(query, page))
    }),
    get: ({ params }) => requests.getAnybodys(params.id),
    approve: Effect.fnUntraced(function*({ params }) {
      const { key, request } = yield* requests.approve(params.id, (yield* Operator).keyId)
      return { ...request, api_key: key === undefined ? null : { ...key.record, secret: key.secret } }
    }),
    reject: Effect.fnUntraced(function*({ params, payload: { reason } }) {
      return yield* requests.reject(params.id, (yield* Operator).keyId, reason)
    })
  }))

export const layer = Layer.merge(merchants, operators)
