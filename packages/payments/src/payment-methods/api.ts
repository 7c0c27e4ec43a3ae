/** The routes of payment methods. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { paymentMethodMachine } from "./machine.ts"
import {
  CreatePaymentMethodRequest,
  paymentMethodEvents,
  paymentMethodFilters,
  PaymentMethodJson,
  UpdatePaymentMethodRequest
} from "./model.ts"

const method = endpointsOf({ scope: "payment_methods", prefix: "pm", schema: PaymentMethodJson, list: "PaymentMethodList" })
const moved = { ...byId, success: PaymentMethodJson, error: [NotFound, InvalidState, VersionConflict] } as const

export class PaymentMethodsGroup extends HttpApiGroup.make("payment_methods").add(
  HttpApiEndpoint.post("create", "/payment_methods", method.create(CreatePaymentMethodRequest))
    .annotateMerge(method.makes(
      "manage",
      "Create a payment method",
      "Keeps a provider's token for a customer. Card numbers are refused: the provider's own fields take them and give a token. " +
        "With an idempotency key the same request is 201 the first time and 200 when it is repeated; without one each request makes " +
        "another method."
    )),
  HttpApiEndpoint.get("list", "/payment_methods", method.list(paymentMethodFilters))
    .annotateMerge(method.reads("List payment methods", "Newest first, of one customer or of all.")),
  HttpApiEndpoint.get("get", "/payment_methods/:id", method.get)
    .annotateMerge(method.reads("Retrieve a payment method", "What may be shown of it; the token itself is never shown.")),
  HttpApiEndpoint.patch("update", "/payment_methods/:id", { ...moved, payload: UpdatePaymentMethodRequest })
    .annotate(RequiredScope, "payment_methods:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update a payment method",
      "Changes the customer or the metadata; fields left out stay as they are. " +
        "It pays for the new customer alone from then on: subscriptions of the old one are charged with that customer's default method. " +
        "Send the `version` you read, or `If-Match`, to be refused with 409 when somebody else changed it since."
    )),
  HttpApiEndpoint.post("revoke", "/payment_methods/:id/revoke", moved)
    .annotate(RequiredScope, "payment_methods:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Revoke a payment method",
      "It cannot be charged from then on; subscriptions whose own it was are charged with their customer's default method. " +
        "Revoking it again is 409 `invalid_state`."
    ))
).pipe(forMerchants({ title: "Payment methods", description: "Providers' tokens kept for a merchant's customers." }))
  .annotate(Machine, paymentMethodMachine).annotate(Emits, paymentMethodEvents)
{}
