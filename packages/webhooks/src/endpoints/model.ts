/** The endpoint: the one URL of an account to which every event goes, and the secret that signs them. */
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const ScheduleName = Schema.Literals(["standard", "long"]).annotate({
  identifier: "WebhookSchedule",
  description: "`standard`: 4 attempts, 30 s apart. `long`: 10 attempts over about three days, as Standard Webhooks has it"
})
export type ScheduleName = typeof ScheduleName.Type

/** Row and wire in one declaration. */
export class WebhookEndpoint extends Model.Class<WebhookEndpoint>("WebhookEndpoint")({
  account_id: Schema.String,
  url: Schema.String,
  secret: Model.Sensitive(Schema.RedactedFromValue(Schema.String)),
  previous_secret: Model.Sensitive(Schema.NullOr(Schema.RedactedFromValue(Schema.String))),
  previous_secret_expires_at: Schema.NullOr(Timestamp).annotate({
    description: "Until then deliveries carry a second signature, made with the secret before the last rotation"
  }),
  schedule: ScheduleName,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
}) {}

export const WebhookEndpointJson = WebhookEndpoint.json.annotate({
  identifier: "WebhookEndpoint",
  description: "Where an account's webhooks go."
})

/** The endpoint with its secret, which no other answer shows. */
export const WebhookEndpointIssued = Schema.Struct({
  ...WebhookEndpointJson.fields,
  secret: Schema.String.annotate({ description: "Signs every delivery; `whsec_…`. Shown this once: store it now" })
}).annotate({ identifier: "WebhookEndpointIssued" })

export const PutWebhookEndpointRequest = Schema.Struct({
  url: Schema.String.annotate({ description: "A public http or https address, port 80, 443, 8080 or 8443" }),
  schedule: Schema.optionalKey(ScheduleName.annotate({ description: "When failed deliveries are attempted again; `standard` unless given" })),
  version: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0)).annotate({
    description: "The version you read; the change is refused when it is no longer the current one"
  }))
}).annotate({ identifier: "PutWebhookEndpointRequest", examples: [{ url: "https://example.com/webhooks" }] })
export type PutWebhookEndpointRequest = typeof PutWebhookEndpointRequest.Type
