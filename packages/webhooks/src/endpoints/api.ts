/** The routes of an account's webhook endpoint. */
import { Does, forMerchants, NeedsConfirmation, RequiredScope } from "@svc/accounts/access/api"
import { IfMatch, ReadsIfMatch } from "@svc/kernel/http/if-match"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { PutWebhookEndpointRequest, WebhookEndpointIssued, WebhookEndpointJson } from "./model.ts"

const PATH = "/webhook_endpoint"

export class WebhookEndpointGroup extends HttpApiGroup.make("webhook_endpoint").add(
  HttpApiEndpoint.get("get", PATH, { success: WebhookEndpointJson, error: NotFound })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Retrieve the webhook endpoint",
      description: "Its secret is not shown; rotate it when it is lost."
    })),
  HttpApiEndpoint.put("put", PATH, {
    headers: { "if-match": Schema.optionalKey(IfMatch) },
    payload: PutWebhookEndpointRequest,
    // The one with the secret comes first: the other would match it too, and drop the secret.
    success: [WebhookEndpointIssued.pipe(HttpApiSchema.status(201)), WebhookEndpointJson],
    error: VersionConflict
  })
    .annotate(RequiredScope, "webhooks:write").annotate(Does, "manage").annotate(NeedsConfirmation, true)
    .annotate(AnswersSecret, true)
    .annotate(ReadsIfMatch, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Set the webhook endpoint",
      description: "Makes the endpoint and shows its signing secret, once; or changes the URL and schedule of the one there is. " +
        "Every event type goes to it. Deliveries under way go to the new URL on their next attempt. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    })),
  HttpApiEndpoint.delete("remove", PATH, { success: HttpApiSchema.NoContent, error: [NotFound, VersionConflict] })
    .annotate(RequiredScope, "webhooks:write").annotate(Does, "manage").annotate(NeedsConfirmation, true)
    .annotate(ReadsIfMatch, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Remove the webhook endpoint",
      description: "Deliveries under way fail with `endpoint_removed`. Events are still logged and can be listed. " +
        "Send `If-Match` to be refused with 409 when somebody else changed it since you read it."
    })),
  HttpApiEndpoint.post("rotate_secret", `${PATH}/rotate_secret`, {
    success: WebhookEndpointIssued,
    error: [NotFound, VersionConflict, InvalidState]
  })
    .annotate(RequiredScope, "webhooks:write").annotate(Does, "protect").annotate(NeedsConfirmation, true)
    .annotate(AnswersSecret, true)
    .annotate(ReadsIfMatch, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Rotate the signing secret",
      description:
        "Shows the new secret, once. The one before stays valid for 24 hours: deliveries carry one `v1=` for each valid secret, " +
        "the newest first. While five are valid a further rotation answers 409; `details.oldest_expires_at` says when the oldest ends. " +
        "An `Idempotency-Key`, or `If-Match` with the version you read, keeps a repetition, after an answer that was lost, from rotating twice."
    }))
).pipe(forMerchants({ title: "Webhook endpoint", description: "Where webhooks go, and what signs them." })) {}
