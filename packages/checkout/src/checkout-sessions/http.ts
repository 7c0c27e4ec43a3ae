/** The handlers of the checkout session routes. */
import { Caller } from "@svc/accounts/access/model"
import { expanding } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { mayBeKeyed } from "@svc/kernel/http/keyed"
import { respond } from "@svc/kernel/http/reply"
import { ValidationError } from "@svc/kernel/resource/errors"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { CheckoutSessionsGroup } from "./api.ts"
import { checkoutSessionExpansion } from "./model.ts"
import { CheckoutSessions } from "./service/sessions.ts"

const keyless = new ValidationError({
  code: "idempotency_key",
  message: "idempotency_key: send it in the Idempotency-Key header: a fresh random value for this session, best a UUID"
})

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(CheckoutSessionsGroup),
  "checkout_sessions",
  Effect.fnUntraced(function*(handlers) {
    const sessions = yield* CheckoutSessions
    const expand = yield* expanding(checkoutSessionExpansion)
    const { listedBy } = yield* makeCustomerKeys
    return handlers.handleAll({
      create: Effect.fnUntraced(function*({ payload, request }) {
        const { account } = yield* Caller
        const keyed = (yield* mayBeKeyed("checkout_session.create", request, {})) ?? (yield* keyless)
        return respond(yield* sessions.create({ account, keyed, payload }))
      }),
      get: expand.retrieving(sessions.get),
      list: expand.listing(listedBy(sessions.list)),
      expire: Effect.fnUntraced(function*({ params, request }) {
        return yield* sessions.expire((yield* Caller).account.id, params.id, yield* Effect.fromResult(ifMatchOf(request)))
      })
    })
  })
)
