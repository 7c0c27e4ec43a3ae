/** The routes of subscriptions. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
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
import { PlanNotActive } from "../plans/errors.ts"
import { subscriptionMachine } from "./machine.ts"
import { subscriptionEvents, subscriptionExpansion, subscriptionFilters, SubscriptionJson } from "./model.ts"
import { CreateSubscriptionRequest, UpdateSubscriptionRequest } from "./model/requests.ts"

export class SubscriptionsGroup extends HttpApiGroup.make("subscriptions").add(
  HttpApiEndpoint.post("create", "/subscriptions", {
    payload: CreateSubscriptionRequest,
    success: [SubscriptionJson.pipe(HttpApiSchema.status(201)), SubscriptionJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, PlanNotActive, AccountSuspended]
  }).annotate(RequiredScope, "subscriptions:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a subscription",
      "On an active plan. Without a trial its first cycle is charged at once, with the method that is sent, " +
        "else with the customer's default; when that fails it is `past_due` and the charge is tried again. " +
        "Without a method the cycle waits for one, or for a recorded charge result. " +
        "Weeks, months and the days of a trial are those of the calendar of `time_zone`, or else of the account's " +
        "`settings.billing.time_zone`. " +
        "A customer reference that is not known makes its customer. Repeating the key answers 200 with the subscription as it is then."
    )),
  HttpApiEndpoint.get("list", "/subscriptions", {
    query: {
      ...pageQueryOf("sub"),
      ...subscriptionExpansion.query,
      ...subscriptionFilters
    },
    success: PaginatedList(SubscriptionJson, "SubscriptionList")
  }).annotate(RequiredScope, "subscriptions:read")
    .annotateMerge(described("List subscriptions", "Newest first, of one status, plan or customer, or all.")),
  HttpApiEndpoint.get("get", "/subscriptions/:id", {
    ...byId,
    query: subscriptionExpansion.query,
    success: SubscriptionJson,
    error: NotFound
  })
    .annotate(RequiredScope, "subscriptions:read")
    .annotateMerge(described("Retrieve a subscription", "Where it stands, what its present period is, and what waits for the next.")),
  HttpApiEndpoint.patch("update", "/subscriptions/:id", {
    ...byId,
    payload: UpdateSubscriptionRequest,
    success: SubscriptionJson,
    error: [NotFound, InvalidState, VersionConflict]
  })
    .annotate(RequiredScope, "subscriptions:write").annotate(Does, "record").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a subscription",
      "Changes the fields that are sent. With another `payment_method_id` a cycle that is open is charged at once. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    ))
).pipe(
  forMerchants({ title: "Subscriptions", description: "Customers' standing orders for plans: charged by themselves, period after period." })
)
  .annotate(Machine, subscriptionMachine).annotate(Emits, subscriptionEvents)
{}
