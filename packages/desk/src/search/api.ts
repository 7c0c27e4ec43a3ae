/** The route of the search. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { MOST_HITS, SearchAnswer, SearchQuery } from "./model.ts"

export class SearchGroup extends HttpApiGroup.make("search").add(
  HttpApiEndpoint.get("find", "/search", { query: SearchQuery, success: SearchAnswer })
    .annotate(RequiredScope, "search:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Search everything",
      description: `Looks for a text as all that it may be, and answers with ${MOST_HITS} hits at most: those of the most ` +
        "plausible meaning first, each kind newest first. Names, amounts of payouts, disputes, invoices and orders, last digits of bank " +
        "accounts and payments, and what checkouts hold, are looked for among the newest 10,000 of each. " +
        "A restricted key finds the kinds whose resources it may read."
    }))
).pipe(forMerchants({ title: "Search", description: "One place to look for payments, customers, invoices and all else." })) {}
