/** The handlers of the payment method routes. */
import { Caller } from "@svc/accounts/access/model"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { PaymentMethodsGroup } from "./api.ts"
import { PaymentMethods } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(PaymentMethodsGroup)

export const layer = HttpApiBuilder.group(api, "payment_methods", Effect.fnUntraced(function*(handlers) {
  const methods = yield* PaymentMethods
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ payload, request }) {
      const { account } = yield* Caller
      const keyed = yield* mayBeKeyed("payment_method.create", request, payload)
      const created = yield* methods.create(account, payload, keyed)
      return keyed === undefined
        ? HttpServerResponse.text(created.body, { status: created.status, contentType: "application/json" })
        : respond({ ...created, key: keyed.key })
    }),
    list: Effect.fnUntraced(function*({ query }) {
      const { customer_id, ...page } = yield* Effect.fromResult(checkPage(query))
      const account = yield* own
      const filter = customer_id === undefined ? {} : { customer_id }
      return yield* listOwn(account, page, methods.list(account, filter, page))
    }),
    get: Effect.fnUntraced(function*({ params }) {
      return yield* methods.get(yield* own, params.id)
    }),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
      return yield* methods.update(yield* own, params.id, patch, expected)
    }),
    revoke: Effect.fnUntraced(function*({ params, request }) {
      return yield* methods.revoke(yield* own, params.id, yield* Effect.fromResult(ifMatchOf(request)))
    })
  })
}))
