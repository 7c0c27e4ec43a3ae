/** How people look at events. */
import { viewOf } from "@svc/kernel/resource/view"
import { EventsGroup } from "./api.ts"
import { Event } from "./model.ts"

export const eventsView = viewOf(EventsGroup, Event, {
  name: "events",
  section: "developers",
  columns: [
    { field: "type", as: "text" },
    { field: "data.id", as: "id" },
    { field: "event_seq", as: "number" },
    { field: "created_at", as: "time" }
  ],
  filters: ["type"],
  facts: [
    { field: "type", as: "text" },
    { field: "data", as: "value" },
    { field: "metadata", as: "value" },
    { field: "event_seq", as: "number" },
    { field: "resource_version", as: "number" },
    { field: "api_version", as: "text" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" }
  ]
})
