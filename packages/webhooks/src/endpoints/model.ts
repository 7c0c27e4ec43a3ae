/** The endpoint: the one URL of an account to which every event goes, and the secret that signs them. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource, versioned } from "@svc/kernel/resource/model"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Model } from "effect/schema"

export const ScheduleName = Schema.Literals(["standard", "long"]).annotate({
  identifier: "WebhookSchedule",
  description: "`standard`: 4 attempts, 30 s apart. `long`: 10 attempts over about three days, as Standard Webhooks has it"
})
export type ScheduleName = typeof ScheduleName.Type

/** A secret that was rotated out and signs along until its end. */
export const PreviousSecret = Schema.Struct({
  secret: Schema.RedactedFromValue(Schema.String),
  expires_at: Timestamp
})
export type PreviousSecret = typeof PreviousSecret.Type

/** Row and wire in one declaration. */
export const WebhookEndpoint = resource({
  account_id: Schema.String,
  url: Schema.String,
  secret: Model.Sensitive(Schema.RedactedFromValue(Schema.String)),
  /** The newest first. Those that have ended stay until the next rotation, and sign nothing. */
  previous_secrets: Model.Sensitive(Schema.Array(PreviousSecret)),
  previous_secret_expires_at: Model.Field({
    json: Schema.NullOr(Timestamp).annotate({
      description:
        "When the secret before the last rotation ends. Until then deliveries carry a further signature for each secret that was rotated out less than 24 hours ago"
    })
  }),
  schedule: ScheduleName,
  ...versioned
})
export type WebhookEndpoint = typeof WebhookEndpoint.Type

const example = {
  account_id: exampleId("acct"),
  url: "https://example.com/webhooks",
  previous_secret_expires_at: null,
  schedule: "standard",
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 1
} as const

export const WebhookEndpointJson = WebhookEndpoint.json.annotate({
  identifier: "WebhookEndpoint",
  description: "Where an account's webhooks go."
}).pipe(Schema.annotateEncoded({ examples: [example] }))

/** The endpoint with its secret, which no other answer shows. */
export const WebhookEndpointIssued = Schema.Struct({
  ...WebhookEndpointJson.fields,
  secret: Schema.String.annotate({ description: "Signs every delivery; `whsec_…`. Shown this once: store it now" })
}).annotate({ identifier: "WebhookEndpointIssued" }).pipe(
  Schema.annotateEncoded({ examples: [{ ...example, secret: "whsec_…, shown once" }] })
)

export const PutWebhookEndpointRequest = Schema.Struct({
  url: Schema.String.annotate({ description: "A public http or https address, port 80, 443, 8080 or 8443" }),
  schedule: Schema.optionalKey(
    ScheduleName.annotate({ description: "When failed deliveries are attempted again; `standard` unless given" })
  ),
  version: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "The version you read; the change is refused when it is no longer the current one"
    })
  )
}).annotate({ identifier: "PutWebhookEndpointRequest", examples: [{ url: "https://example.com/webhooks" }] })
export type PutWebhookEndpointRequest = typeof PutWebhookEndpointRequest.Type
