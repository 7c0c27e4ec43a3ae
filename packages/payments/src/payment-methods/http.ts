/** The handlers of the payment method routes. */
import { Caller } from "@svc/accounts/access/model"
import { creatingAnyhow, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { Effect, Result } from "effect"
import { PaymentMethodsGroup } from "./api.ts"
import { PaymentMethods } from "./service.ts"

export const layer = handlersOf(PaymentMethodsGroup, PaymentMethods, (handlers, methods) =>
  handlers.handleAll({
    create: creatingAnyhow("payment_method.create", methods.create),
    list: listing(methods.list),
    get: retrieving(methods.get),
    update: Effect.fnUntraced(function*({ params, payload: { version, ...patch }, request }) {
      const { account } = yield* Caller
      const expected = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))
      return yield* methods.update(account.id, params.id, patch, expected)
    }),
    revoke: Effect.fnUntraced(function*({ params, request }) {
      const { account } = yield* Caller
      return yield* methods.revoke(account.id, params.id, yield* Effect.fromResult(ifMatchOf(request)))
    })
  }))
