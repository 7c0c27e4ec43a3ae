/** The routes of payment methods. */
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { Emits } from "@svc/kernel/events"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { Machine } from "@svc/kernel/state-machine"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { paymentMethodMachine } from "./machine.ts"
import { CreatePaymentMethodRequest, CustomerReference, paymentMethodEvents, PaymentMethodJson, UpdatePaymentMethodRequest } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class PaymentMethodsGroup extends HttpApiGroup.make("payment_methods").add(
  HttpApiEndpoint.post("create", "/payment_methods", {
    payload: CreatePaymentMethodRequest,
    success: [PaymentMethodJson.pipe(HttpApiSchema.status(201)), PaymentMethodJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict]
  }).annotate(RequiredScope, "payment_methods:write").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a payment method",
      "Keeps a provider's token for a customer. Card numbers are refused: the provider's own fields take them and give a token. " +
        "With an idempotency key the same request is 201 the first time and 200 when it is repeated; without one each request makes another method."
    )),
  HttpApiEndpoint.get("list", "/payment_methods", {
    query: {
      ...pageQueryOf("pm"),
      customer_id: Schema.optionalKey(CustomerReference)
    },
    success: PaginatedList(PaymentMethodJson, "PaymentMethodList")
  }).annotate(RequiredScope, "payment_methods:read")
    .annotateMerge(described("List payment methods", "Newest first, of one customer or of all.")),
  HttpApiEndpoint.get("get", "/payment_methods/:id", { ...id, success: PaymentMethodJson, error: NotFound })
    .annotate(RequiredScope, "payment_methods:read")
    .annotateMerge(described("Retrieve a payment method", "What may be shown of it; the token itself is never shown.")),
  HttpApiEndpoint.patch("update", "/payment_methods/:id", {
    ...id,
    payload: UpdatePaymentMethodRequest,
    success: PaymentMethodJson,
    error: [NotFound, InvalidState, VersionConflict]
  }).annotate(RequiredScope, "payment_methods:write").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a payment method",
      "Changes the customer or the metadata; fields left out stay as they are. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    )),
  HttpApiEndpoint.post("revoke", "/payment_methods/:id/revoke", {
    ...id,
    success: PaymentMethodJson,
    error: [NotFound, InvalidState, VersionConflict]
  }).annotate(RequiredScope, "payment_methods:write").annotate(ReadsIfMatch, true)
    .annotateMerge(described("Revoke a payment method", "It cannot be charged from then on. Revoking it again is 409 `invalid_state`."))
).pipe(forMerchants({ title: "Payment methods", description: "Providers' tokens kept for a merchant's customers." }))
  .annotate(Machine, paymentMethodMachine).annotate(Emits, paymentMethodEvents) {}
