/** The handlers of the portal session routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { PortalSessionsGroup } from "./api.ts"
import { shownOf } from "./model.ts"
import { PortalSessions } from "./service.ts"

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(PortalSessionsGroup), "customer_portal", Effect.fnUntraced(function*(handlers) {
  const sessions = yield* PortalSessions
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("portal_session.create", request, payload)
      const made = yield* sessions.create(account, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(made.body, { status: made.status, contentType: "application/json" })
        : respond({ ...made, key: keyed.key })
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return shownOf(yield* sessions.get((yield* Caller).account.id, params.id))
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { account } = yield* Caller
      const { customer_id, status, ...page } = yield* Effect.fromResult(checkPage(query))
      const filter = { ...(status === undefined ? {} : { status }), ...(customer_id === undefined ? {} : { customer_id }) }
      const found = yield* listOwn(account.id, page, sessions.list(account.id, filter, page))
      return { ...found, data: found.data.map(shownOf) }
    }),
    revoke: Effect.fnUntraced(function*({ params, request }) {
      return shownOf(yield* sessions.revoke((yield* Caller).account.id, params.id, yield* Effect.fromResult(ifMatchOf(request))))
    })
  })
}))
