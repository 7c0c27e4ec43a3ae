/** The order: what a customer has paid for at once, until it is delivered. */
import { AccountId } from "@svc/accounts/accounts/model"
import { requiredKey } from "@svc/kernel/resource/api"
import { eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { both, refersTo } from "@svc/kernel/resource/expansion"
import { resource, tableOf } from "@svc/kernel/resource/model"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Amount, SafeAmount } from "@svc/kernel/values/money"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { PaymentIntentId, paymentIntentKind } from "@svc/payments/payment-intents/model"
import { Metadata } from "@svc/payments/payment-intents/model/metadata"
import { CustomerReference } from "@svc/payments/payment-methods/model"
import { Schema } from "effect"
import { customerKind } from "../customers/model.ts"

export const OrderId = idSchema("ord", "OrderId")
export type OrderId = typeof OrderId.Type

export const orderStatuses = ["paid", "fulfilled", "refunded"] as const
export const OrderStatus = Schema.Literals(orderStatuses).annotate({ identifier: "OrderStatus" })
export type OrderStatus = typeof OrderStatus.Type

/** A line of an order: the item, and its quantity. */
export const OrderLine = Schema.Struct({
  name: Schema.String,
  quantity: Schema.Int.check(Schema.isGreaterThan(0)),
  unit_amount: SafeAmount.annotate({ description: "Minor units of the currency, for one" })
}).annotate({ identifier: "OrderLine" })
export type OrderLine = typeof OrderLine.Type

export const trackingText = oneLine(255).annotate({
  description: "What the customer can follow the delivery by, such as a number or an address"
})

/** How the customer can follow the delivery. */
export const Tracking = Schema.Struct({
  number: trackingText,
  carrier: Schema.optionalKey(oneLine(80).annotate({ description: "Who delivers it", examples: ["DHL"] }))
}).annotate({ identifier: "OrderTracking", description: "How the customer can follow the delivery" })

/** Row and wire in one declaration. */
export const Order = resource({
  id: OrderId,
  account_id: AccountId,
  /** Null where the checkout session named no customer. */
  customer_id: Schema.NullOr(CustomerReference),
  status: OrderStatus,
  /** Minor units: what was paid. */
  amount: Amount,
  currency: Currency,
  line_items: Schema.Array(OrderLine),
  payment_intent_id: PaymentIntentId,
  checkout_session_id: Schema.String,
  tracking: Schema.NullOr(Tracking),
  metadata: Metadata,
  paid_at: Timestamp,
  fulfilled_at: Schema.NullOr(Timestamp),
  refunded_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Order = typeof Order.Type

/** What of an order can be shown whole. */
export const orderExpansion = both(refersTo("payment_intent", paymentIntentKind), refersTo("customer", customerKind))

export const OrderJson = Schema.Struct({ ...Order.json.fields, ...orderExpansion.fields }).annotate({
  identifier: "Order",
  description: "What a customer has paid for in a checkout session, until it is delivered. Amounts are minor units of `currency`."
}).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("ord"),
    account_id: exampleId("acct"),
    customer_id: "customer-1",
    status: "fulfilled",
    amount: 4_500,
    currency: "EUR",
    line_items: [{ name: "Ceramic mug", quantity: 2, unit_amount: 1_800 }, { name: "Shipping", quantity: 1, unit_amount: 900 }],
    payment_intent_id: exampleId("pi"),
    checkout_session_id: exampleId("cs"),
    tracking: { number: "00340434161094042557", carrier: "DHL" },
    metadata: { order: "6735" },
    paid_at: EXAMPLE_TIME,
    fulfilled_at: EXAMPLE_TIME,
    refunded_at: null,
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
    version: 2
  }]
}))

/** What webhooks tell of an order. */
export const orderEvents = eventsOf("order", ["fulfilled"], OrderJson)
export type OrderEvent = "fulfilled"

export const orders = tableOf(Order, {
  name: "orders",
  account: "account_id",
  fixed: ["customer_id", "amount", "currency", "line_items", "payment_intent_id", "checkout_session_id", "metadata", "paid_at"]
})

export const FulfillOrderRequest = Schema.Struct({
  tracking: Schema.optionalKey(Schema.NullOr(Tracking)),
  ...requiredKey
}).annotate({
  identifier: "FulfillOrderRequest",
  examples: [{ tracking: { number: "00340434161094042557", carrier: "DHL" }, idempotency_key: "0d6e5b2a-90c1-4c0f-8f5e-4c2d7a1b3e96" }]
})
export type FulfillOrderRequest = typeof FulfillOrderRequest.Type

/** What a list may be narrowed to. */
export const orderFilters = {
  status: Schema.optionalKey(OrderStatus),
  customer_id: Schema.optionalKey(CustomerReference),
  payment_intent_id: Schema.optionalKey(Schema.String),
  checkout_session_id: Schema.optionalKey(Schema.String)
}
export type OrderFilter = Schema.Struct.Type<typeof orderFilters>
