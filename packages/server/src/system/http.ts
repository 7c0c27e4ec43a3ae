/** The handlers of the routes about the service itself. */
import { Caller } from "@svc/accounts/access/model"
import { UNREACHABLE_RETRY_AFTER } from "@svc/kernel/database/unreachable"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { CURRENT_API_VERSION, Releases } from "@svc/kernel/resource/api-version"
import { notFound, ServiceUnavailable } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { Checkpoints } from "@svc/ledger/checkpoints/service"
import { declineCodes } from "@svc/payments/rails/model"
import { Clock, DateTime, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { catalog } from "../catalog.ts"
import { HealthGroup, IdempotencyGroup, SystemGroup } from "./api.ts"
import { Health } from "./health.ts"
import { recordsOf } from "./versions.ts"

const api = HttpApi.make("svc").add(SystemGroup).add(IdempotencyGroup)
const ofAnyListener = HttpApi.make("health").add(HealthGroup)

const index = { name: "svc", version: CURRENT_API_VERSION, docs: "/docs", openapi: "/openapi.json", health: "/v1/health" } as const
const indexForBrowsers = HttpServerResponse.jsonUnsafe(index, { status: 302, headers: { location: index.docs } })

const alive = { status: "ok" as const }

const notReady = (message: string) => new ServiceUnavailable({ message, details: { retry_after: UNREACHABLE_RETRY_AFTER } })

const healthHandlers = ({ draining, report }: Health["Service"], { keys }: Checkpoints["Service"]) => ({
  public_keys: () => Effect.map(keys, (all) => ({ keys: all })),
  health: () => report,
  livez: () => Effect.succeed(alive),
  readyz: Effect.fnUntraced(function*() {
    if (yield* draining) return yield* notReady("This process is about to stop. Send requests to another one.")
    const { database } = yield* report
    if (database === "down") return yield* notReady("The database does not answer. Nothing can be served until it does.")
    return alive
  })
})

const service = HttpApiBuilder.group(
  api,
  "service",
  Effect.fnUntraced(function*(handlers) {
    const health = yield* Health
    const checkpoints = yield* Checkpoints
    return handlers.handleAll({
      index: ({ request }) => Effect.succeed(request.headers["accept"]?.includes("text/html") === true ? indexForBrowsers : index),
      ...healthHandlers(health, checkpoints),
      error_codes: () => Effect.succeed({ data: Array.from(catalog.errors.values()), decline_codes: declineCodes }),
      state_machines: () => Effect.succeed({ data: catalog.machines }),
      api_versions: () =>
        Effect.map(Effect.all([Releases, Clock.currentTimeMillis]), ([releases, millis]) => ({ data: recordsOf(releases, millis) }))
    })
  })
)

const idempotency = HttpApiBuilder.group(
  api,
  "idempotency",
  Effect.fnUntraced(function*(handlers) {
    const keys = yield* Idempotency
    return handlers.handleAll({
      get: Effect.fnUntraced(function*({ params }) {
        const found = yield* keys.find((yield* Caller).account.id, params.key)
        if (found === undefined) return yield* notFound("idempotency key")
        const { first_seen_at, operation, resource_id, resource_type, status } = found
        return { status, operation, resource_type, resource_id, first_seen_at: DateTime.makeUnsafe(first_seen_at) }
      })
    })
  })
)

export const layer = Layer.merge(service, idempotency)

/** The routes of health for a listener that serves another API, or none. */
export const healthRoutes = HttpApiBuilder.layer(ofAnyListener).pipe(
  Layer.provide(
    HttpApiBuilder.group(
      ofAnyListener,
      "health",
      Effect.fnUntraced(function*(handlers) {
        return handlers.handleAll(healthHandlers(yield* Health, yield* Checkpoints))
      })
    )
  )
)
