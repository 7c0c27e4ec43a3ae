/** The handlers of the webhook endpoint's routes. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { Effect, Redacted } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { WebhookEndpointGroup } from "./api.ts"
import type { WebhookEndpoint } from "./model.ts"
import { WebhookEndpoints } from "./service.ts"

// A group's handlers find their place by the names of API and group, so that they can be built without the other groups.
const api = HttpApi.make("svc").add(WebhookEndpointGroup)

const withoutSecrets = ({ previous_secrets: [newest], secret: _, ...shown }: WebhookEndpoint) => ({
  ...shown,
  previous_secret_expires_at: newest?.expires_at ?? null
})
const withSecret = (endpoint: WebhookEndpoint) => ({ ...withoutSecrets(endpoint), secret: Redacted.value(endpoint.secret) })

export const layer = HttpApiBuilder.group(
  api,
  "webhook_endpoint",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* WebhookEndpoints
    const account = Effect.map(Caller, (caller) => caller.account.id)
    return handlers.handleAll({
      get: () => Effect.map(Effect.flatMap(account, service.get), withoutSecrets),
      put: Effect.fnUntraced(function*({ headers, payload }) {
        const version = yield* Effect.fromResult(expectedVersion(payload.version, headers["if-match"]))
        const { created, endpoint } = yield* service.put((yield* Caller).account, version === undefined ? payload : { ...payload, version })
        return created ? withSecret(endpoint) : withoutSecrets(endpoint)
      }),
      remove: Effect.fnUntraced(function*({ request }) {
        yield* service.remove(yield* account, yield* Effect.fromResult(ifMatchOf(request)))
      }),
      rotate_secret: Effect.fnUntraced(function*({ request }) {
        return withSecret(yield* service.rotateSecret(yield* account, yield* Effect.fromResult(ifMatchOf(request))))
      })
    })
  })
)
