/** The handlers of the payment method routes. */
import { findCardNumber } from "@svc/kernel/card-numbers"
import { CardNumberNotAccepted } from "@svc/kernel/errors"
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion } from "@svc/kernel/http/if-match"
import { keyedRequest } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { checkPage, listOwn } from "@svc/kernel/pages"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { PaymentMethodsGroup } from "./api.ts"
import { PaymentMethods } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(PaymentMethodsGroup)

const cardNumberAsKey = () =>
  new CardNumberNotAccepted({
    code: "idempotency_key",
    message: "The Idempotency-Key header holds what looks like a card number. Use a fresh random value, best a UUID."
  })

export const layer = HttpApiBuilder.group(api, "payment_methods", Effect.fnUntraced(function*(handlers) {
  const methods = yield* PaymentMethods
  const own = Effect.map(Caller, ({ account }) => account.id)
  return handlers.handleAll({
    create: Effect.fnUntraced(function*({ headers, payload, request }) {
      const { account } = yield* Caller
      const key = payload.idempotency_key ?? headers["idempotency-key"]
      if (key === undefined) {
        const { body, status } = yield* methods.create(account, payload)
        return HttpServerResponse.text(body, { status, contentType: "application/json" })
      }
      // The guard has read the body only, and a key is kept for ever.
      if (findCardNumber(key) !== undefined) return yield* cardNumberAsKey()
      const keyed = yield* keyedRequest("payment_method.create", request, { idempotency_key: key })
      return respond({ ...(yield* methods.create(account, payload, keyed)), key })
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
    update: Effect.fnUntraced(function*({ headers, params, payload: { version, ...patch } }) {
      return yield* methods.update(yield* own, params.id, patch, yield* Effect.fromResult(expectedVersion(version, headers["if-match"])))
    }),
    revoke: Effect.fnUntraced(function*({ headers, params }) {
      return yield* methods.revoke(yield* own, params.id, headers["if-match"])
    })
  })
}))
