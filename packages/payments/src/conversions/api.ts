/** The routes of conversions. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { NotFound } from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { conversionEvents, conversionExpansion, conversionFilters, ConversionJson } from "./model.ts"

export class ConversionsGroup extends HttpApiGroup.make("conversions").add(
  HttpApiEndpoint.get("list", "/conversions", {
    query: { ...pageQueryOf("cnv"), ...conversionExpansion.query, ...conversionFilters },
    success: PaginatedList(ConversionJson, "ConversionList")
  }).annotate(RequiredScope, "conversions:read")
    .annotateMerge(described("List conversions", "Newest first, of one payment or into one currency, or of all.")),
  HttpApiEndpoint.get("get", "/conversions/:id", { ...byId, query: conversionExpansion.query, success: ConversionJson, error: NotFound })
    .annotate(RequiredScope, "conversions:read")
    .annotateMerge(
      described("Retrieve a conversion", "What a capture came to in the currency that its payment is settled in, and by which rate.")
    )
).pipe(forMerchants({
  title: "Conversions",
  description:
    "Captures of payments with a `destination_currency`: what they came to. The fee of the exchange is 1 % of what is exchanged; " +
    "refunds and disputes undo their part at the same rate."
})).annotate(Emits, conversionEvents) {}
