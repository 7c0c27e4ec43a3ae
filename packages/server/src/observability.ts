/** Traces, metrics and logs to an OpenTelemetry collector, when one is named. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Layer, References, Schema } from "effect"
import { FetchHttpClient, HttpMiddleware, UrlParams } from "effect/http"
import { Otlp } from "effect/observability"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"

/** Query parameters whose values never leave the process; their names are matched as written. */
const hidden = ["q", "customer_id", "provider_reference", "api_key", "token", "secret", "signature"]

const Manifest = fromJsonText(Schema.Struct({ version: Schema.String }))

/** Whose telemetry it is: of several processes each has an id of its own, from its start to its end. */
const resource = () => ({
  serviceName: "svc",
  serviceVersion: Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version,
  attributes: { "service.instance.id": randomUUID() }
})

export const layer = (endpoint: string | undefined): Layer.Layer<never> =>
  endpoint === undefined
    // Nobody would see a span: none is made.
    ? Layer.succeed(References.TracerEnabled, false)
    : Layer.mergeAll(
      Otlp.layerJson({ baseUrl: endpoint, resource: resource() }).pipe(Layer.provide(FetchHttpClient.layer)),
      Layer.succeed(HttpMiddleware.SpanNameGenerator, (request) =>
        `${request.method} ${request.url.split("?")[0]?.replace(/\/[a-z]+_[0-9A-Z]{26}/g, "/:id") ?? ""}`),
      Layer.succeed(UrlParams.CurrentRedactedNames, hidden)
    )
