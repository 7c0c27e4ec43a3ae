/** The routes of orders. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { Changes } from "@svc/kernel/resource/version-change"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { orderMachine } from "./machine.ts"
import { FulfillOrderRequest, orderEvents, orderExpansion, orderFilters, OrderJson } from "./model.ts"
import { trackingSaysTheCarrier } from "./versions.ts"

export class OrdersGroup extends HttpApiGroup.make("orders").add(
  HttpApiEndpoint.get("list", "/orders", {
    query: {
      ...pageQueryOf("ord"),
      ...orderExpansion.query,
      ...orderFilters
    },
    success: PaginatedList(OrderJson, "OrderList")
  }).annotate(RequiredScope, "orders:read")
    .annotateMerge(described(
      "List orders",
      "Newest first, of one status, customer, payment or checkout session, or all. `status=paid` is what is to be delivered."
    )),
  HttpApiEndpoint.get("get", "/orders/:id", { ...byId, query: orderExpansion.query, success: OrderJson, error: NotFound })
    .annotate(RequiredScope, "orders:read")
    .annotateMerge(described("Retrieve an order", "What was paid for, and whether it is delivered.")),
  HttpApiEndpoint.post("fulfill", "/orders/:id/fulfill", {
    ...byId,
    payload: FulfillOrderRequest,
    success: OrderJson,
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, NotFound, InvalidState]
  }).annotate(RequiredScope, "orders:write").annotate(Does, "manage").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Fulfill an order",
      "Says that it is delivered, or on its way, and tells `order.fulfilled`. " +
        "An order that is fulfilled or refunded is 409 `invalid_state`."
    ))
).pipe(
  forMerchants({
    title: "Orders",
    description:
      "What customers have paid for in checkout sessions of mode `payment`. Each is made by its session, in the moment it is paid."
  })
)
  .annotate(Machine, orderMachine).annotate(Emits, orderEvents).annotate(Changes, [trackingSaysTheCarrier])
{}
