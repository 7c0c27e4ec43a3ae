/** The routes of payouts. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { Currency } from "@svc/kernel/currency"
import { Forbidden, IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { Timestamp } from "@svc/kernel/time"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { payoutMachine } from "./machine.ts"
import { CancelPayoutRequest, CreatePayoutRequest, PayoutJson, PayoutStatus } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class PayoutsGroup extends HttpApiGroup.make("payouts").add(
  HttpApiEndpoint.post("create", "/payouts", {
    payload: CreatePayoutRequest,
    success: [PayoutJson.pipe(HttpApiSchema.status(201)), PayoutJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, InsufficientBalance, AccountSuspended, Forbidden]
  }).annotate(RequiredScope, "payouts:write").annotate(Does, "payout").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a payout",
      "Its amount is `reserved` at once, and refused with `insufficient_balance` where less is `available`. It is submitted to the bank an hour later, at `submit_at`, and arrives a day after that. " +
        "In a sandbox the bank refuses what goes to a number that ends in 0003, such as DE13370400440532010003, and sends back after two days what went to one that ends in 0004, such as DE83370400440532010004."
    )),
  HttpApiEndpoint.get("list", "/payouts", {
    query: {
      ...pageQueryOf("po"),
      status: Schema.optionalKey(PayoutStatus),
      currency: Schema.optionalKey(Currency),
      destination_id: Schema.optionalKey(Schema.String),
      "created_at[gte]": Schema.optionalKey(Timestamp),
      "created_at[lt]": Schema.optionalKey(Timestamp)
    },
    success: PaginatedList(PayoutJson, "PayoutList")
  }).annotate(RequiredScope, "payouts:read")
    .annotateMerge(described("List payouts", "Newest first, of one status, currency or transfer instrument, or of all.")),
  HttpApiEndpoint.get("get", "/payouts/:id", { ...id, success: PayoutJson, error: NotFound })
    .annotate(RequiredScope, "payouts:read")
    .annotateMerge(described("Retrieve a payout", "Where the money is on its way to the bank.")),
  HttpApiEndpoint.post("cancel", "/payouts/:id/cancel", {
    ...id,
    payload: CancelPayoutRequest,
    success: PayoutJson,
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState]
  }).annotate(RequiredScope, "payouts:write").annotate(Does, "refund").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Cancel a payout", "While it is `pending`. Its amount and its fee are available again."))
).pipe(forMerchants({ title: "Payouts", description: "Available money on its way to the account's own bank. `settings.payouts` of the account makes them by itself, each day or each week. No webhook tells of payouts: read them, or the ledger's events." }))
  .annotate(Machine, payoutMachine) {}
