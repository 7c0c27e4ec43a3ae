/** The routes of subscriptions. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { Emits } from "@svc/kernel/events"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { Timestamp } from "@svc/kernel/time"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { PlanNotActive } from "../plans/errors.ts"
import { subscriptionMachine } from "./machine.ts"
import { CreateSubscriptionRequest, subscriptionEvents, subscriptionExpansion, SubscriptionJson, SubscriptionStatus, UpdateSubscriptionRequest } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class SubscriptionsGroup extends HttpApiGroup.make("subscriptions").add(
  HttpApiEndpoint.post("create", "/subscriptions", {
    payload: CreateSubscriptionRequest,
    success: [SubscriptionJson.pipe(HttpApiSchema.status(201)), SubscriptionJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, PlanNotActive, AccountSuspended]
  }).annotate(RequiredScope, "subscriptions:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a subscription",
      "On an active plan. Without a trial its first cycle is charged at once, with the method that is sent, else with the customer's default; when that fails it is `past_due` and the charge is tried again. " +
        "Without a method the cycle waits for one, or for a recorded charge result. A customer reference that is not known makes its customer. Repeating the key answers 200 with the subscription as it is then."
    )),
  HttpApiEndpoint.get("list", "/subscriptions", {
    query: {
      ...pageQueryOf("sub"),
      ...subscriptionExpansion.query,
      status: Schema.optionalKey(SubscriptionStatus),
      plan_id: Schema.optionalKey(Schema.String),
      customer_id: Schema.optionalKey(CustomerReference),
      "created_at[gte]": Schema.optionalKey(Timestamp),
      "created_at[lt]": Schema.optionalKey(Timestamp)
    },
    success: PaginatedList(SubscriptionJson, "SubscriptionList")
  }).annotate(RequiredScope, "subscriptions:read")
    .annotateMerge(described("List subscriptions", "Newest first, of one status, plan or customer, or all.")),
  HttpApiEndpoint.get("get", "/subscriptions/:id", { ...id, query: subscriptionExpansion.query, success: SubscriptionJson, error: NotFound })
    .annotate(RequiredScope, "subscriptions:read")
    .annotateMerge(described("Retrieve a subscription", "Where it stands, what its present period is, and what waits for the next.")),
  HttpApiEndpoint.patch("update", "/subscriptions/:id", { ...id, payload: UpdateSubscriptionRequest, success: SubscriptionJson, error: [NotFound, InvalidState, VersionConflict] })
    .annotate(RequiredScope, "subscriptions:write").annotate(Does, "record").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a subscription",
      "Changes the fields that are sent. With another `payment_method_id` a cycle that is open is charged at once. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    ))
).pipe(forMerchants({ title: "Subscriptions", description: "Customers' standing orders for plans: charged by themselves, period after period." }))
  .annotate(Machine, subscriptionMachine).annotate(Emits, subscriptionEvents) {}
