/** The routes of plans. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, Refuses, VersionConflict } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { PlanNotActive } from "./errors.ts"
import { planMachine } from "./machine.ts"
import { ArchivePlanRequest, CreatePlanRequest, planFilters, PlanJson, UpdatePlanRequest } from "./model.ts"

const changeErrors = [NotFound, InvalidState, VersionConflict] as const

export class PlansGroup extends HttpApiGroup.make("plans").add(
  HttpApiEndpoint.post("create", "/plans", {
    payload: CreatePlanRequest,
    success: [PlanJson.pipe(HttpApiSchema.status(201)), PlanJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict]
  }).annotate(RequiredScope, "plans:write").annotate(Does, "manage").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a plan",
      "A plan begins as a draft, whose price may still change, and is sold once it is active. " +
        "201 the first time, 200 when the key is replayed; without a key each request makes another plan."
    )),
  HttpApiEndpoint.get("list", "/plans", {
    query: {
      ...pageQueryOf("plan"),
      ...planFilters
    },
    success: PaginatedList(PlanJson, "PlanList")
  }).annotate(RequiredScope, "plans:read")
    .annotateMerge(described("List plans", "Newest first, of one status, currency, period or external id, or of all.")),
  HttpApiEndpoint.get("get", "/plans/:id", { ...byId, success: PlanJson, error: NotFound })
    .annotate(RequiredScope, "plans:read")
    .annotateMerge(described("Retrieve a plan", "What is sold, at which price, and whether it still is.")),
  HttpApiEndpoint.patch("update", "/plans/:id", { ...byId, payload: UpdatePlanRequest, success: PlanJson, error: changeErrors })
    .annotate(RequiredScope, "plans:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a plan",
      "Changes the fields that are sent. `amount`, `currency` and `billing_period` change while the plan is a draft; " +
        "once it is active they are fixed, and another price is another plan. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    )),
  HttpApiEndpoint.post("activate", "/plans/:id/activate", { ...byId, success: PlanJson, error: changeErrors })
    .annotate(RequiredScope, "plans:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Activate a plan",
      "Subscriptions may begin on it from now on, and its price is fixed. Activating it again is 409 `invalid_state`."
    )),
  HttpApiEndpoint.post("archive", "/plans/:id/archive", { ...byId, payload: ArchivePlanRequest, success: PlanJson, error: changeErrors })
    .annotate(RequiredScope, "plans:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Archive a plan",
      "No subscription begins on it any more. Those that run on it go on, unless `cancel_subscriptions` ends them, " +
        "`now` or `at_period_end`, for the reason `plan_archived`."
    ))
).pipe(forMerchants({ title: "Plans", description: "What is sold again and again: a price, a currency and a period." }))
  .annotate(Machine, planMachine).annotate(Refuses, [PlanNotActive])
{}
