/** The routes of settlements. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { Currency } from "@svc/kernel/currency"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { Emits } from "@svc/kernel/events"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { Timestamp } from "@svc/kernel/time"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { settlementMachine } from "./machine.ts"
import { RetrySettlementRequest, settlementEvents, settlementExpansion, SettlementJson, SettlementStatus } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class SettlementsGroup extends HttpApiGroup.make("settlements").add(
  HttpApiEndpoint.get("list", "/settlements", {
    query: {
      ...pageQueryOf("set"),
      ...settlementExpansion.query,
      status: Schema.optionalKey(SettlementStatus),
      payment_intent_id: Schema.optionalKey(Schema.String),
      currency: Schema.optionalKey(Currency),
      "created_at[gte]": Schema.optionalKey(Timestamp),
      "created_at[lt]": Schema.optionalKey(Timestamp)
    },
    success: PaginatedList(SettlementJson, "SettlementList")
  }).annotate(RequiredScope, "settlements:read")
    .annotateMerge(described("List settlements", "Newest first, of one payment, status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/settlements/:id", { ...id, query: settlementExpansion.query, success: SettlementJson, error: NotFound })
    .annotate(RequiredScope, "settlements:read")
    .annotateMerge(described("Retrieve a settlement", "Where the money of one capture stands.")),
  HttpApiEndpoint.post("retry", "/settlements/:id/retry", {
    ...id,
    payload: RetrySettlementRequest,
    success: SettlementJson,
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState]
  }).annotate(RequiredScope, "settlements:write").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Retry a settlement",
      "Puts a failed settlement back into the queue, due at once. It is tried again by itself after 1, 4 and 24 hours; then only by this."
    ))
).pipe(forMerchants({ title: "Settlements", description: "Captured money on its way from `pending` to `available`." }))
  .annotate(Machine, settlementMachine).annotate(Emits, settlementEvents) {}
