/** The routes of checkout sessions. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { PlanNotActive } from "@svc/billing/plans/errors"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { NeedsIdempotencyHeader, ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { checkoutSessionMachine } from "./machine.ts"
import {
  checkoutSessionEvents,
  checkoutSessionExpansion,
  checkoutSessionFilters,
  CheckoutSessionJson,
  CreateCheckoutSessionRequest
} from "./model.ts"

export class CheckoutSessionsGroup extends HttpApiGroup.make("checkout_sessions").add(
  HttpApiEndpoint.post("create", "/checkout/sessions", {
    // What is wrong with it, and that it is missing, the handler says.
    headers: { "idempotency-key": Schema.optionalKey(Schema.String) },
    payload: CreateCheckoutSessionRequest,
    success: [CheckoutSessionJson.pipe(HttpApiSchema.status(201)), CheckoutSessionJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, PlanNotActive]
  }).annotate(RequiredScope, "checkout_sessions:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true).annotate(
    NeedsIdempotencyHeader,
    true
  )
    .annotateMerge(described(
      "Create a checkout session",
      "Send the customer to the `url` of the answer. The `Idempotency-Key` header is required here, " +
        "and no field of the body takes its place. 201 the first time, 200 when the key is replayed."
    )),
  HttpApiEndpoint.get("list", "/checkout/sessions", {
    query: {
      ...pageQueryOf("cs"),
      ...checkoutSessionExpansion.query,
      ...checkoutSessionFilters
    },
    success: PaginatedList(CheckoutSessionJson, "CheckoutSessionList")
  }).annotate(RequiredScope, "checkout_sessions:read")
    .annotateMerge(described("List checkout sessions", "Newest first, of one customer, payment or status, or of all.")),
  HttpApiEndpoint.get("get", "/checkout/sessions/:id", {
    ...byId,
    query: checkoutSessionExpansion.query,
    success: CheckoutSessionJson,
    error: NotFound
  })
    .annotate(RequiredScope, "checkout_sessions:read")
    .annotateMerge(described("Retrieve a checkout session", "Where it stands, with the `url` of its page.")),
  HttpApiEndpoint.post("expire", "/checkout/sessions/:id/expire", {
    ...byId,
    success: CheckoutSessionJson,
    error: [NotFound, InvalidState, PaymentInFlight, VersionConflict]
  }).annotate(RequiredScope, "checkout_sessions:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(
      described(
        "Expire a checkout session",
        "Ends an open session: its page takes no payment from then on. 409 `payment_in_flight` while one is under way."
      )
    )
).pipe(forMerchants({ title: "Checkout", description: "Hosted pages on which customers pay." }))
  .annotate(Machine, checkoutSessionMachine).annotate(Emits, checkoutSessionEvents)
{}
