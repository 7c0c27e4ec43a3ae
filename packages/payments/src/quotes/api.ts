/** The routes of quotes. */
import { forMerchants } from "@svc/accounts/access/api"
import { endpointsOf, keyedErrors } from "@svc/accounts/routes/api"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { RatesUnavailable } from "../rates/errors.ts"
import { quoteMachine } from "./machine.ts"
import { CreateQuoteRequest, quoteFilters, QuoteJson } from "./model.ts"

const quote = endpointsOf({ scope: "quotes", prefix: "qt", schema: QuoteJson, list: "QuoteList" })

export class QuotesGroup extends HttpApiGroup.make("quotes").add(
  HttpApiEndpoint.post("create", "/quotes", { ...quote.create(CreateQuoteRequest), error: [...keyedErrors, RatesUnavailable] })
    .annotateMerge(quote.makes(
      "record",
      "Create a quote",
      "What an amount comes to in another currency: the fee is taken from the source amount, the rest is converted and rounded down to " +
        "a minor unit of the target. " +
        "The answer says the day and the source of the rate. It holds for 5 minutes. 201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/quotes", quote.list(quoteFilters))
    .annotateMerge(quote.reads("List quotes", "Newest first, of one status or of all.")),
  HttpApiEndpoint.get("get", "/quotes/:id", quote.get)
    .annotateMerge(quote.reads("Retrieve a quote", "What was promised, and whether it still holds."))
).pipe(forMerchants({ title: "Quotes", description: "What an amount comes to in another currency.", machine: quoteMachine })) {}
