/** The routes of payouts. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  Forbidden,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  RateLimited,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { Sums, sumsQueryOf } from "@svc/kernel/resource/sums"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { payoutMachine } from "./machine.ts"
import { CancelPayoutRequest, CreatePayoutRequest, payoutFilters, PayoutJson, payoutSums } from "./model.ts"

export class PayoutsGroup extends HttpApiGroup.make("payouts").add(
  HttpApiEndpoint.post("create", "/payouts", {
    payload: CreatePayoutRequest,
    success: [PayoutJson.pipe(HttpApiSchema.status(201)), PayoutJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, InsufficientBalance, AccountSuspended, Forbidden]
  }).annotate(RequiredScope, "payouts:write").annotate(Does, "payout").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a payout",
      "Its amount is `reserved` at once, and refused with `insufficient_balance` where less is `available`. It is submitted to the " +
        "bank an hour later, at `submit_at`, and arrives a day after that. " +
        "A person's payouts above `settings.people.second_look_above` wait for a second person; keys are not asked. " +
        "In a sandbox the bank refuses what goes to a number that ends in 0003, such as DE13370400440532010003, and sends back after " +
        "two days what went to one that ends in 0004, such as DE83370400440532010004."
    )),
  HttpApiEndpoint.get("list", "/payouts", {
    query: { ...pageQueryOf("po"), ...payoutFilters },
    success: PaginatedList(PayoutJson, "PayoutList")
  }).annotate(RequiredScope, "payouts:read")
    .annotateMerge(described("List payouts", "Newest first, of one status, currency or transfer instrument, or of all.")),
  HttpApiEndpoint.get("sums", "/payouts/sums", {
    query: sumsQueryOf(payoutFilters),
    success: Sums(payoutSums, "PayoutSums"),
    error: RateLimited
  }).annotate(RequiredScope, "payouts:read")
    .annotateMerge(
      described(
        "Add up payouts",
        "Of all that the filters leave, for each currency. It takes as long as there are many: narrow it by time."
      )
    ),
  HttpApiEndpoint.get("get", "/payouts/:id", { ...byId, success: PayoutJson, error: NotFound })
    .annotate(RequiredScope, "payouts:read")
    .annotateMerge(described("Retrieve a payout", "Where the money is on its way to the bank.")),
  HttpApiEndpoint.post("cancel", "/payouts/:id/cancel", {
    ...byId,
    payload: CancelPayoutRequest,
    success: PayoutJson,
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState]
  }).annotate(RequiredScope, "payouts:write").annotate(Does, "refund").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Cancel a payout", "While it is `pending`. Its amount and its fee are available again."))
).pipe(
  forMerchants({
    title: "Payouts",
    description:
      "Available money on its way to the account's own bank. `settings.payouts` of the account makes them by itself, each day or each " +
      "week. No webhook tells of payouts: read them, or the ledger's events."
  })
)
  .annotate(Machine, payoutMachine)
{}
