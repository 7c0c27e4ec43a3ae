/** The handlers of the dispute routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { DisputesGroup } from "./api.ts"
import { disputeExpansion } from "./model.ts"
import { Disputes } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(DisputesGroup), "disputes", Effect.fnUntraced(function*(handlers) {
  const disputes = yield* Disputes
  const expand = yield* expanding(disputeExpansion)
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], disputes.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, disputes.list(account.id, filter, page)))
    }),
    add_evidence: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      const keyed = yield* keyedRequest("dispute.add_evidence", request, payload)
      return respond(yield* disputes.addEvidence({ account, id: params.id, version, keyed, payload }))
    }),
    submit: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      const keyed = yield* keyedRequest("dispute.submit", request, payload)
      return respond(yield* disputes.submit({ account, id: params.id, version, keyed, payload }))
    }),
    accept: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      const version = yield* Effect.fromResult(ifMatchOf(request))
      const keyed = yield* keyedRequest("dispute.accept", request, payload)
      return respond(yield* disputes.accept({ account, id: params.id, version, keyed, payload }))
    }),
    simulate: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* keyedRequest("dispute.simulate", request, payload)
      return respond(yield* disputes.simulate({ account, keyed, payload }))
    })
  })
}))
