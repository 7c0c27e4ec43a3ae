/** The routes of orders. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { Changes } from "@svc/kernel/version-change"
import { Emits } from "@svc/kernel/events"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { trackingSaysTheCarrier } from "./versions.ts"
import { orderMachine } from "./machine.ts"
import { FulfillOrderRequest, orderEvents, orderExpansion, OrderJson, OrderStatus } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class OrdersGroup extends HttpApiGroup.make("orders").add(
  HttpApiEndpoint.get("list", "/orders", {
    query: {
      ...pageQueryOf("ord"),
      ...orderExpansion.query,
      status: Schema.optionalKey(OrderStatus),
      customer_id: Schema.optionalKey(CustomerReference),
      payment_intent_id: Schema.optionalKey(Schema.String),
      checkout_session_id: Schema.optionalKey(Schema.String)
    },
    success: PaginatedList(OrderJson, "OrderList")
  }).annotate(RequiredScope, "orders:read")
    .annotateMerge(described("List orders", "Newest first, of one status, customer, payment or checkout session, or all. `status=paid` is what is to be delivered.")),
  HttpApiEndpoint.get("get", "/orders/:id", { ...id, query: orderExpansion.query, success: OrderJson, error: NotFound })
    .annotate(RequiredScope, "orders:read")
    .annotateMerge(described("Retrieve an order", "What was paid for, and whether it is delivered.")),
  HttpApiEndpoint.post("fulfill", "/orders/:id/fulfill", {
    ...id,
    payload: FulfillOrderRequest,
    success: OrderJson,
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState]
  }).annotate(RequiredScope, "orders:write").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Fulfill an order", "Says that it is delivered, or on its way, and tells `order.fulfilled`. An order that is fulfilled or refunded is 409 `invalid_state`."))
).pipe(forMerchants({ title: "Orders", description: "What customers have paid for in checkout sessions of mode `payment`. Each is made by its session, in the moment it is paid." }))
  .annotate(Machine, orderMachine).annotate(Emits, orderEvents).annotate(Changes, [trackingSaysTheCarrier]) {}
