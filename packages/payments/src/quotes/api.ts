/** The routes of quotes. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { IdempotencyInProgress, IdempotencyKeyReused, NotFound, VersionConflict } from "@svc/kernel/errors"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RatesUnavailable } from "../rates/errors.ts"
import { quoteMachine } from "./machine.ts"
import { CreateQuoteRequest, QuoteJson, QuoteStatus } from "./model.ts"

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class QuotesGroup extends HttpApiGroup.make("quotes").add(
  HttpApiEndpoint.post("create", "/quotes", {
    payload: CreateQuoteRequest,
    success: [QuoteJson.pipe(HttpApiSchema.status(201)), QuoteJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, RatesUnavailable]
  }).annotate(RequiredScope, "quotes:write").annotate(Does, "record").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a quote",
      "What an amount comes to in another currency: the fee is taken from the source amount, the rest is converted and rounded down to a minor unit of the target. " +
        "The answer says the day and the source of the rate. It holds for 5 minutes. 201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/quotes", {
    query: { ...pageQueryOf("qt"), status: Schema.optionalKey(QuoteStatus) },
    success: PaginatedList(QuoteJson, "QuoteList")
  }).annotate(RequiredScope, "quotes:read")
    .annotateMerge(described("List quotes", "Newest first, of one status or of all.")),
  HttpApiEndpoint.get("get", "/quotes/:id", { params: { id: Schema.String }, success: QuoteJson, error: NotFound })
    .annotate(RequiredScope, "quotes:read")
    .annotateMerge(described("Retrieve a quote", "What was promised, and whether it still holds."))
).pipe(forMerchants({ title: "Quotes", description: "What an amount comes to in another currency." }))
  .annotate(Machine, quoteMachine) {}
