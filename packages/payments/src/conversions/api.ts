/** The routes of conversions. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { Currency } from "@svc/kernel/currency"
import { NotFound } from "@svc/kernel/errors"
import { Emits } from "@svc/kernel/events"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { conversionEvents, conversionExpansion, ConversionJson } from "./model.ts"

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class ConversionsGroup extends HttpApiGroup.make("conversions").add(
  HttpApiEndpoint.get("list", "/conversions", {
    query: { ...pageQueryOf("cnv"), ...conversionExpansion.query, payment_intent_id: Schema.optionalKey(Schema.String), target_currency: Schema.optionalKey(Currency) },
    success: PaginatedList(ConversionJson, "ConversionList")
  }).annotate(RequiredScope, "conversions:read")
    .annotateMerge(described("List conversions", "Newest first, of one payment or into one currency, or of all.")),
  HttpApiEndpoint.get("get", "/conversions/:id", { params: { id: Schema.String }, query: conversionExpansion.query, success: ConversionJson, error: NotFound })
    .annotate(RequiredScope, "conversions:read")
    .annotateMerge(described("Retrieve a conversion", "What a capture came to in the currency that its payment is settled in, and by which rate."))
).pipe(forMerchants({
  title: "Conversions",
  description: "Captures of payments with a `destination_currency`: what they came to. The fee of the exchange is 1 % of what is exchanged; refunds and disputes undo their part at the same rate."
})).annotate(Emits, conversionEvents) {}
