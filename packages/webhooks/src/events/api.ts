/** The routes of the public event log. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { NotFound } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { pathId } from "@svc/kernel/values/ids"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { EventId, EventType, LoggedEvent } from "./model.ts"

export const EventList = PaginatedList(LoggedEvent, "EventList")

/** A query value, and so read from text. */
const Seq = Schema.Natural.annotate({
  description: "Only events with a greater `event_seq`, oldest first. Pass the last one you have processed."
})

export class EventsGroup extends HttpApiGroup.make("events").add(
  HttpApiEndpoint.get("list", "/events", {
    query: { ...pageQueryOf("evt"), after_seq: Schema.optionalKey(Seq), type: Schema.optionalKey(EventType) },
    success: EventList
  })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List events",
      description: "Everything that happened in the account, newest first. With `after_seq` the list runs forwards from there, " +
        "which is how to catch up after an outage without waiting for webhooks."
    })),
  HttpApiEndpoint.get("get", "/events/:id", { params: { id: pathId("evt", EventId) }, success: LoggedEvent, error: NotFound })
    .annotate(RequiredScope, "webhooks:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Retrieve an event",
      description: "The same bytes that a webhook for this event carries, and `actor` besides where a person made it happen."
    }))
).pipe(forMerchants({ title: "Events", description: "The log of what happened, in order." })) {}
