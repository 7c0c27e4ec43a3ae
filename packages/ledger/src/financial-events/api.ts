/** The routes of the ledger. It is read and checked here; what writes it are payments, payouts and their like. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { NotFound, RateLimited } from "@svc/kernel/resource/errors"
import { createdBetween, pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Sums, sumsQueryOf } from "@svc/kernel/resource/sums"
import { Currency } from "@svc/kernel/values/currency"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { FinancialEventJson, financialEventSums, FinancialEventType, LedgerVerification, SequenceId } from "./model.ts"

const filters = {
  event_type: Schema.optionalKey(FinancialEventType),
  currency: Schema.optionalKey(Currency),
  resource_id: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x7e]{1,255}$/u, { message: "must be the id of a resource, for example of a payment intent" })
    )
  ),
  "sequence_id[gte]": Schema.optionalKey(SequenceId),
  "sequence_id[lte]": Schema.optionalKey(SequenceId),
  ...createdBetween
}

export class FinancialEventsGroup extends HttpApiGroup.make("financial_events").add(
  HttpApiEndpoint.get("list", "/financial_events", {
    query: { ...pageQueryOf("fe"), ...filters },
    success: PaginatedList(FinancialEventJson, "FinancialEventList")
  }).annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "List financial events",
      "Newest first. `total` is exact up to 10,000. To read a whole chain, page with `after`, or in pieces of `sequence_id[gte]` and `sequence_id[lte]`."
    )),
  HttpApiEndpoint.get("sums", "/financial_events/sums", {
    query: sumsQueryOf(filters),
    success: Sums(financialEventSums, "FinancialEventSums"),
    error: RateLimited
  }).annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "Add up financial events",
      "Of all that the filters leave, for each currency: their amounts, which say something of one `event_type`, " +
        "and by how much they moved each bucket. " +
        "It takes as long as there are many: narrow it by `created_at[gte]` and `created_at[lt]`, or by " +
        "`sequence_id[gte]` and `sequence_id[lte]`."
    )),
  HttpApiEndpoint.get("get", "/financial_events/:id", { ...byId, success: FinancialEventJson, error: NotFound })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(described("Retrieve a financial event", "With every field that its hash covers, so that you can recompute it.")),
  HttpApiEndpoint.get("verify", "/ledger/verify", {
    query: { from: Schema.optionalKey(SequenceId), to: Schema.optionalKey(SequenceId) },
    success: LedgerVerification,
    error: RateLimited
  }).annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "Verify the ledger",
      "Recomputes the hash chain and adds it up, as it is at one moment. With `from` or `to` only that part, both ends included: " +
        "the end of the chain is compared with its head when the part reaches it. Of the whole chain also the balances are compared with the sums, " +
        "every journal transaction with the zero that it must sum to, the amounts of payments, settlements and disputes with their events, and the chain with its last checkpoint. " +
        "An account's checks are made one after another, and four may be asked for at one time: a further one is refused with 429."
    ))
).pipe(forMerchants({
  title: "Ledger",
  description: "The hash-chained record of everything that moved the merchant's money."
})) {}
