/** The routes of credits that are bought. */
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import {
  Forbidden,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  ValidationError,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { pageFieldsOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { forCallers, ToolAuthorization } from "@svc/metering/access/api"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { PurchaseDeclined } from "./errors.ts"
import { creditPurchaseMachine } from "./machine.ts"
import { BuyCreditsRequest, CreditPurchaseJson, LEAST, MOST } from "./model.ts"

const dollars = (cents: number): string => String(cents / 100)

export class CreditPurchasesGroup extends HttpApiGroup.make("credit_purchases").add(
  HttpApiEndpoint.post("buy", "/credits/purchases", {
    payload: BuyCreditsRequest,
    success: [CreditPurchaseJson.pipe(HttpApiSchema.status(201)), CreditPurchaseJson],
    error: [ValidationError, PurchaseDeclined, Forbidden, InvalidState, IdempotencyKeyReused, IdempotencyInProgress, VersionConflict]
  }).middleware(ToolAuthorization).annotate(ReadsIdempotencyKey, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Buy credits or a plan",
      description:
        `Credits for ${dollars(LEAST)} to ${
          dollars(MOST)
        } USD, or a plan: starter 29, growth 299 for a month, pro 99 once. With \`payment_method_id\` it is paid at once; without it the answer's ` +
        "`payment_url` is a page on which a person pays within a day. Credits last a year; those of a plan's month end with that month. Needs the account's own key: an agent key buys nothing. " +
        "`Idempotency-Key` is required, here or as `idempotency_key`. 201 the first time, 200 when the key is replayed."
    })),
  HttpApiEndpoint.get("list", "/credits/purchases", {
    query: pageFieldsOf("cpur"),
    success: PaginatedList(CreditPurchaseJson, "CreditPurchaseList"),
    error: ValidationError
  }).middleware(ToolAuthorization)
    .annotateMerge(OpenApi.annotations({ summary: "List your purchases", description: "Purchases of credits and plans, newest first." })),
  HttpApiEndpoint.get("get", "/credits/purchases/:id", { params: { id: Schema.String }, success: CreditPurchaseJson, error: NotFound })
    .middleware(ToolAuthorization)
    .annotateMerge(
      OpenApi.annotations({ summary: "Retrieve a purchase", description: "Where it stands, and the page to pay it on while it is open." })
    )
).pipe(forCallers({ title: "Credits", description: "Credits and plans that are bought." }))
  .annotate(Machine, creditPurchaseMachine)
{}
