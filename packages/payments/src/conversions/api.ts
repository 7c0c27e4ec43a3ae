/** The routes of conversions. */
import { forMerchants } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { conversionEvents, conversionExpansion, conversionFilters, ConversionJson } from "./model.ts"

const conversion = endpointsOf({ scope: "conversions", prefix: "cnv", schema: ConversionJson, list: "ConversionList" })

export class ConversionsGroup extends HttpApiGroup.make("conversions").add(
  HttpApiEndpoint.get("list", "/conversions", conversion.list({ ...conversionExpansion.query, ...conversionFilters }))
    .annotateMerge(conversion.reads("List conversions", "Newest first, of one payment or into one currency, or of all.")),
  HttpApiEndpoint.get("get", "/conversions/:id", { ...conversion.get, query: conversionExpansion.query })
    .annotateMerge(
      conversion.reads("Retrieve a conversion", "What a capture came to in the currency that its payment is settled in, and by which rate.")
    )
).pipe(forMerchants({
  title: "Conversions",
  description:
    "Captures of payments with a `destination_currency`: what they came to. The fee of the exchange is 1 % of what is exchanged; " +
    "refunds and disputes undo their part at the same rate.",
  events: conversionEvents
})) {}
