/** The handlers of the plan routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Result } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { PlansGroup } from "./api.ts"
import { Plans } from "./service.ts"

/** The version that the caller read, from the body or the header. */
const expected = (request: HttpServerRequest.HttpServerRequest, version: number | undefined) =>
  Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))

export const layer = HttpApiBuilder.group(HttpApi.make("svc").add(PlansGroup), "plans", Effect.fnUntraced(function*(handlers) {
  const plans = yield* Plans
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("plan.create", request, payload)
      const made = yield* plans.create(account, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(made.body, { status: made.status, contentType: "application/json" })
        : respond({ ...made, key: keyed.key })
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const account = yield* own
      const page = yield* Effect.fromResult(checkPage(query))
      const { after: _after, before: _before, merchant_id: _merchant, page: _page, per_page: _perPage, ...filter } = query
      return yield* listOwn(account, page, plans.list(account, filter, page))
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* plans.get(yield* own, params.id)
    }),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      return yield* plans.update(yield* own, params.id, patch, yield* expected(request, version))
    }),
    activate: Effect.fnUntraced(function*({ params, request }) {
      return yield* plans.activate(yield* own, params.id, yield* Effect.fromResult(ifMatchOf(request)))
    }),
    archive: Effect.fnUntraced(function*({ params, payload: { cancel_subscriptions, version }, request }) {
      return yield* plans.archive(yield* own, params.id, cancel_subscriptions, yield* expected(request, version))
    })
  })
}))
