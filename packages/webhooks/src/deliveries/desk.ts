/** How people look at deliveries, and what became of each attempt. */
import { viewOf } from "@svc/kernel/resource/view"
import { DeliveriesGroup } from "./api.ts"
import { WebhookEvent } from "./model.ts"

export const webhookEventsView = viewOf(DeliveriesGroup, WebhookEvent, {
  name: "webhook_events",
  section: "developers",
  columns: [
    { field: "event_type", as: "text" },
    { field: "status", as: "state" },
    { field: "attempts", as: "number" },
    { field: "last_outcome", as: "state" },
    { field: "next_attempt_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "type"],
  facts: [
    { field: "event_type", as: "text" },
    { field: "event_id", as: "id" },
    { field: "status", as: "state" },
    { field: "attempts", as: "number" },
    { field: "last_outcome", as: "state" },
    { field: "replayed_as", as: "id" },
    { field: "next_attempt_at", as: "time" },
    { field: "delivered_at", as: "time" },
    { field: "payload", as: "value" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "attempts",
      on: "one",
      asks: [],
      rows: [
        { field: "number", as: "number" },
        { field: "created_at", as: "time" },
        { field: "outcome", as: "state" },
        { field: "response_status", as: "text" },
        { field: "duration_ms", as: "number" },
        { field: "error", as: "text" }
      ]
    },
    { endpoint: "replay", on: "one", when: { field: "status", in: ["delivered", "failed"] }, asks: [] },
    {
      endpoint: "replay_all",
      on: "all",
      asks: [
        { field: "status", as: "choice", from: ["failed", "delivered"] },
        { field: "type", as: "choice", from: "event_types", optional: true },
        { field: "since", as: "time", optional: true },
        { field: "until", as: "time", optional: true }
      ]
    }
  ]
})
