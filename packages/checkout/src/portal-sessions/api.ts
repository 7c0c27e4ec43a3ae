/** The routes of portal sessions. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { portalSessionMachine } from "./machine.ts"
import { CreatePortalSessionRequest, portalSessionEvents, portalSessionFilters, PortalSessionJson } from "./model.ts"

export class PortalSessionsGroup extends HttpApiGroup.make("customer_portal").add(
  HttpApiEndpoint.post("create", "/customer_portal/sessions", {
    payload: CreatePortalSessionRequest,
    success: [PortalSessionJson.pipe(HttpApiSchema.status(201)), PortalSessionJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict]
  }).annotate(RequiredScope, "customer_portal:write").annotate(Does, "manage").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a customer portal session",
      "Make it when your signed-in customer asks for the portal, and send the customer to the `url` of the answer at once: " +
        "it opens the portal for one hour, for this customer only, with what the account's `portal_settings` allow. " +
        "201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/customer_portal/sessions", {
    query: { ...pageQueryOf("cps"), ...portalSessionFilters },
    success: PaginatedList(PortalSessionJson, "PortalSessionList")
  }).annotate(RequiredScope, "customer_portal:read")
    .annotateMerge(described("List customer portal sessions", "Newest first, of one customer or status, or of all.")),
  HttpApiEndpoint.get("get", "/customer_portal/sessions/:id", { ...byId, success: PortalSessionJson, error: NotFound })
    .annotate(RequiredScope, "customer_portal:read")
    .annotateMerge(described("Retrieve a customer portal session", "Where it stands, with the `url` of its pages.")),
  HttpApiEndpoint.post("revoke", "/customer_portal/sessions/:id/revoke", {
    ...byId,
    success: PortalSessionJson,
    error: [NotFound, InvalidState, VersionConflict]
  })
    .annotate(RequiredScope, "customer_portal:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(
      described("Revoke a customer portal session", "Ends it before its hour is over: its pages say so, and nothing works there any more.")
    )
).pipe(
  forMerchants({ title: "Customer portal", description: "Hosted pages on which customers look after subscriptions, invoices and cards." })
)
  .annotate(Machine, portalSessionMachine).annotate(Emits, portalSessionEvents)
{}
