/** The routes of checkout sessions. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { PlanNotActive } from "@svc/billing/plans/errors"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { Emits } from "@svc/kernel/events"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { NeedsIdempotencyHeader, ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { checkoutSessionMachine } from "./machine.ts"
import { checkoutSessionEvents, checkoutSessionExpansion, CheckoutSessionJson, CheckoutSessionStatus, CreateCheckoutSessionRequest } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const Exactly = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

export class CheckoutSessionsGroup extends HttpApiGroup.make("checkout_sessions").add(
  HttpApiEndpoint.post("create", "/checkout/sessions", {
    // What is wrong with it, and that it is missing, the handler says.
    headers: { "idempotency-key": Schema.optionalKey(Schema.String) },
    payload: CreateCheckoutSessionRequest,
    success: [CheckoutSessionJson.pipe(HttpApiSchema.status(201)), CheckoutSessionJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, PlanNotActive]
  }).annotate(RequiredScope, "checkout_sessions:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true).annotate(NeedsIdempotencyHeader, true)
    .annotateMerge(described(
      "Create a checkout session",
      "Send the customer to the `url` of the answer. The `Idempotency-Key` header is required here, and no field of the body takes its place. " +
        "201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/checkout/sessions", {
    query: {
      ...pageQueryOf("cs"),
      ...checkoutSessionExpansion.query,
      status: Schema.optionalKey(CheckoutSessionStatus),
      customer_id: Schema.optionalKey(Exactly),
      payment_intent_id: Schema.optionalKey(Exactly)
    },
    success: PaginatedList(CheckoutSessionJson, "CheckoutSessionList")
  }).annotate(RequiredScope, "checkout_sessions:read")
    .annotateMerge(described("List checkout sessions", "Newest first, of one customer, payment or status, or of all.")),
  HttpApiEndpoint.get("get", "/checkout/sessions/:id", { ...id, query: checkoutSessionExpansion.query, success: CheckoutSessionJson, error: NotFound })
    .annotate(RequiredScope, "checkout_sessions:read")
    .annotateMerge(described("Retrieve a checkout session", "Where it stands, with the `url` of its page.")),
  HttpApiEndpoint.post("expire", "/checkout/sessions/:id/expire", {
    ...id,
    success: CheckoutSessionJson,
    error: [NotFound, InvalidState, PaymentInFlight, VersionConflict]
  }).annotate(RequiredScope, "checkout_sessions:write").annotate(ReadsIfMatch, true)
    .annotateMerge(described("Expire a checkout session", "Ends an open session: its page takes no payment from then on. 409 `payment_in_flight` while one is under way."))
).pipe(forMerchants({ title: "Checkout", description: "Hosted pages on which customers pay." }))
  .annotate(Machine, checkoutSessionMachine).annotate(Emits, checkoutSessionEvents) {}
