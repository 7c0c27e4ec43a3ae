/** The routes of settlements. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  RateLimited,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { Sums, sumsQueryOf } from "@svc/kernel/resource/sums"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { settlementMachine } from "./machine.ts"
import {
  RetrySettlementRequest,
  settlementEvents,
  settlementExpansion,
  settlementFilters,
  SettlementJson,
  settlementSums
} from "./model.ts"

export class SettlementsGroup extends HttpApiGroup.make("settlements").add(
  HttpApiEndpoint.get("list", "/settlements", {
    query: { ...pageQueryOf("set"), ...settlementExpansion.query, ...settlementFilters },
    success: PaginatedList(SettlementJson, "SettlementList")
  }).annotate(RequiredScope, "settlements:read")
    .annotateMerge(described("List settlements", "Newest first, of one payment, status or currency, or of all.")),
  HttpApiEndpoint.get("sums", "/settlements/sums", {
    query: sumsQueryOf(settlementFilters),
    success: Sums(settlementSums, "SettlementSums"),
    error: RateLimited
  }).annotate(RequiredScope, "settlements:read")
    .annotateMerge(
      described(
        "Add up settlements",
        "Of all that the filters leave, for each currency. It takes as long as there are many: narrow it by time."
      )
    ),
  HttpApiEndpoint.get("get", "/settlements/:id", { ...byId, query: settlementExpansion.query, success: SettlementJson, error: NotFound })
    .annotate(RequiredScope, "settlements:read")
    .annotateMerge(described("Retrieve a settlement", "Where the money of one capture stands.")),
  HttpApiEndpoint.post("retry", "/settlements/:id/retry", {
    ...byId,
    payload: RetrySettlementRequest,
    success: SettlementJson,
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState]
  }).annotate(RequiredScope, "settlements:write").annotate(Does, "manage").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Retry a settlement",
      "Puts a failed settlement back into the queue, due at once. It is tried again by itself after 1, 4 and 24 hours; then only by this."
    ))
).pipe(forMerchants({ title: "Settlements", description: "Captured money on its way from `pending` to `available`." }))
  .annotate(Machine, settlementMachine).annotate(Emits, settlementEvents)
{}
