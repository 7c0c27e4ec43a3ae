/** The handlers of the approval routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { ApprovalsGroup } from "./api.ts"
import { approvalExpansion } from "./model.ts"
import { Approvals } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(ApprovalsGroup), "approvals", Effect.fnUntraced(function*(handlers) {
  const approvals = yield* Approvals
  const expand = yield* expanding(approvalExpansion)
  return handlers.handleAll({
    get: Effect.fnUntraced(function*({ params, query }) {
      return yield* expand.one(query["expand[]"], approvals.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, "expand[]": paths, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account.id, page, expand.page(paths, approvals.list(account.id, filter, page)))
    }),
    approve: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      return respond(yield* approvals.approve({ account, id: params.id, payload, keyed: yield* keyedRequest("approval.approve", request, payload) }))
    }),
    reject: Effect.fnUntraced(function*({ params, payload, request }) {
      const { account } = yield* Caller
      return respond(yield* approvals.reject({ account, id: params.id, payload, keyed: yield* keyedRequest("approval.reject", request, payload) }))
    })
  })
}))
