/** The handlers of the webhook endpoint's routes. */
import { ValidationError } from "@svc/kernel/errors"
import { Caller } from "@svc/kernel/http/caller"
import { Effect, Redacted } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { WebhookEndpointGroup } from "./api.ts"
import type { WebhookEndpoint } from "./model.ts"
import { WebhookEndpoints } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(WebhookEndpointGroup)

const withoutSecrets = ({ previous_secret: _, secret: __, ...shown }: WebhookEndpoint) => shown
const withSecret = (endpoint: WebhookEndpoint) => ({ ...withoutSecrets(endpoint), secret: Redacted.value(endpoint.secret) })

export const layer = HttpApiBuilder.group(api, "webhook_endpoint", Effect.fnUntraced(function*(handlers) {
  const service = yield* WebhookEndpoints
  const account = Effect.map(Caller, (caller) => caller.account.id)
  return handlers.handleAll({
    get: () => Effect.map(Effect.flatMap(account, service.get), withoutSecrets),
    put: Effect.fnUntraced(function*({ headers, payload }) {
      const match = headers["if-match"]
      if (match !== undefined && payload.version !== undefined && match !== payload.version) {
        return yield* new ValidationError({
          code: "version",
          message: `version: the body says ${payload.version} and If-Match says ${match}; send one of them.`
        })
      }
      const { created, endpoint } = yield* service.put((yield* Caller).account, match === undefined ? payload : { ...payload, version: match })
      return created ? withSecret(endpoint) : withoutSecrets(endpoint)
    }),
    remove: () => Effect.flatMap(account, service.remove),
    rotate_secret: () => Effect.map(Effect.flatMap(account, service.rotateSecret), withSecret)
  })
}))
