/** Traces, metrics and logs to an OpenTelemetry collector, when one is named. */
import { Layer, References } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { Otlp } from "effect/observability"

/** Query parameters whose values never leave the process; their names are matched as written. */
const hidden = ["q", "customer_id", "provider_reference", "api_key", "token", "secret", "signature"]

export const layer = (endpoint: string | undefined): Layer.Layer<never> =>
  endpoint === undefined
    // Nobody would see a span: none is made.
    ? Layer.succeed(References.TracerEnabled, false)
    : Layer.mergeAll(
      Otlp.layerJson({ baseUrl: endpoint, resource: { serviceName: "svc" } }).pipe(Layer.provide(FetchHttpClient.layer)),
      Layer.succeed(HttpMiddleware.SpanNameGenerator, (request) => `${request.method} ${request.url.split("?")[0]?.replace(/\/[a-z]+_[0-9A-Z]{26}/g, "/:id") ?? ""}`),
      Layer.succeed(UrlParams.CurrentRedactedNames, hidden)
    )
