/** What can be done with an account's endpoint, over HTTP and from the command line alike. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { type EgressPolicy, InstalledPolicy } from "@svc/kernel/egress/model"
import { type InvalidState, type NotFound, notFound, type ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { atVersion, lostRace, untilCommitted } from "@svc/kernel/resource/versions"
import { newSecret } from "@svc/kernel/signatures/webhook-signature"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Redacted } from "effect"
import { DeliveryRepository } from "../deliveries/repository.ts"
import { DeliverySignal } from "../deliveries/signal.ts"
import type { PutWebhookEndpointRequest, WebhookEndpoint } from "./model.ts"
import { EndpointRepository } from "./repository.ts"
import { change, checkEndpointUrl, create, NAME, rotate } from "./rules.ts"

/** Exceptions are for trying things out: the webhooks of live accounts never go to a private address that they name. */
const PUBLIC_ONLY: EgressPolicy = { allow: [] }

const gone = () =>
  new VersionConflict({
    message: "There is no webhook endpoint any more that could have this version. Leave the version out to set a new one."
  })

export interface Put {
  readonly endpoint: WebhookEndpoint
  /** Whether this made the endpoint, so that its secret is to be shown. */
  readonly created: boolean
}

export class WebhookEndpoints extends Context.Service<WebhookEndpoints, {
  readonly get: (account: string) => Effect.Effect<WebhookEndpoint, NotFound>
  /** Makes the endpoint, or changes its URL and schedule. `ValidationError` where webhooks may not go to that URL. */
  readonly put: (
    account: Pick<AccountFacts, "id" | "sandbox">,
    request: PutWebhookEndpointRequest
  ) => Effect.Effect<Put, ValidationError | VersionConflict>
  /** Ends all webhooks; what is still on its way fails with `endpoint_removed`. With `version`, only if that is still the current one. */
  readonly remove: (account: string, version?: number) => Effect.Effect<void, NotFound | VersionConflict>
  /**
   * The endpoint with a new secret. The old one signs along for 24 hours. `InvalidState` while too many still do.
   * With `version`, only if that is still the current one.
   */
  readonly rotateSecret: (account: string, version?: number) => Effect.Effect<WebhookEndpoint, InvalidState | NotFound | VersionConflict>
}>()("@svc/webhooks/WebhookEndpoints") {
  static readonly layer = Layer.effect(
    WebhookEndpoints,
    Effect.gen(function*() {
      // Which addresses beside public ones sandbox accounts may register: the policy that Egress sends under.
      const policy = yield* InstalledPolicy
      const repository = yield* EndpointRepository
      const deliveries = yield* DeliveryRepository
      const signal = yield* DeliverySignal
      const fresh = Effect.sync(() => Redacted.make(newSecret()))

      const get = Effect.fn("WebhookEndpoints.get")(function*(account: string) {
        return (yield* repository.find(account)) ?? (yield* notFound("webhook endpoint"))
      })

      /** One try; refused when another request was faster. */
      const tryPut = Effect.fnUntraced(function*(account: string, request: PutWebhookEndpointRequest) {
        const at = yield* now
        const known = yield* repository.find(account)
        if (known === undefined) {
          // A request that names a version means an endpoint that is gone.
          if (request.version !== undefined) return yield* gone()
          const endpoint = create(account, request, yield* fresh, at)
          return (yield* repository.insert(account, endpoint)) ? { endpoint, created: true } : yield* lostRace()
        }
        const endpoint = yield* Effect.fromResult(change(known, request, at))
        return endpoint === known || (yield* repository.replace(account, endpoint)) ? { endpoint, created: false } : yield* lostRace()
      })

      const put = Effect.fn("WebhookEndpoints.put")(
        function*(account: Pick<AccountFacts, "id" | "sandbox">, request: PutWebhookEndpointRequest) {
          yield* Effect.fromResult(checkEndpointUrl(request.url, account.sandbox ? policy : PUBLIC_ONLY))
          return yield* untilCommitted(NAME, tryPut(account.id, request))
        }
      )

      const tryRemove = Effect.fnUntraced(function*(account: string, version?: number) {
        if (!(yield* repository.remove(account, version))) {
          yield* Effect.fromResult(atVersion(NAME, yield* get(account), version))
          return yield* lostRace()
        }
        yield* deliveries.hasten(account, yield* now)
        signal.queued([account])
      })

      const remove = Effect.fn("WebhookEndpoints.remove")((account: string, version?: number) =>
        untilCommitted(NAME, tryRemove(account, version))
      )

      const tryRotate = Effect.fnUntraced(function*(account: string, version?: number) {
        const known = yield* Effect.fromResult(atVersion(NAME, yield* get(account), version))
        const endpoint = yield* Effect.fromResult(rotate(known, yield* fresh, yield* now))
        return (yield* repository.replace(account, endpoint)) ? endpoint : yield* lostRace()
      })

      const rotateSecret = Effect.fn("WebhookEndpoints.rotateSecret")((account: string, version?: number) =>
        untilCommitted(NAME, tryRotate(account, version))
      )

      return WebhookEndpoints.of({ get, put, remove, rotateSecret })
    })
  )
}
