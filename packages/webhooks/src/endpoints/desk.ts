/** How people look at the webhook endpoint. */
import { viewOf } from "@svc/kernel/resource/view"
import { WebhookEndpointGroup } from "./api.ts"
import { WebhookEndpointJson } from "./model.ts"

export const webhookEndpointView = viewOf(WebhookEndpointGroup, WebhookEndpointJson, {
  name: "webhook_endpoint",
  section: "developers",
  single: true,
  columns: [],
  filters: [],
  facts: [
    { field: "url", as: "text" },
    { field: "schedule", as: "state" },
    { field: "previous_secret_expires_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "put",
      on: "all",
      asks: [
        { field: "url", as: "text", initially: "url" },
        { field: "schedule", as: "choice", from: ["standard", "long"], initially: "schedule", optional: true }
      ],
      reveals: "secret"
    },
    { endpoint: "rotate_secret", on: "one", asks: [], reveals: "secret" },
    { endpoint: "remove", on: "one", asks: [], final: true }
  ]
})
