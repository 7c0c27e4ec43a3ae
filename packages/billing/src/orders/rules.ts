/** What becomes of an order. Pure: the service loads, asks here, and commits. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { type DateTime, Result } from "effect"
import { orderMachine } from "./machine.ts"
import type { FulfillOrderRequest, Order, OrderId } from "./model.ts"

/** What was paid for. */
export interface PaidPurchase
  extends Pick<Order, "customer_id" | "amount" | "currency" | "line_items" | "payment_intent_id" | "checkout_session_id" | "metadata">
{
  readonly account_id: string
  readonly at: DateTime.Utc
}

export const pay = (id: OrderId, { account_id, at, ...paid }: PaidPurchase): Order => ({
  id,
  account_id: AccountId.make(account_id),
  status: "paid",
  customer_id: paid.customer_id,
  amount: paid.amount,
  currency: paid.currency,
  line_items: paid.line_items,
  payment_intent_id: paid.payment_intent_id,
  checkout_session_id: paid.checkout_session_id,
  tracking: null,
  metadata: paid.metadata,
  paid_at: at,
  fulfilled_at: null,
  refunded_at: null,
  created_at: at,
  updated_at: at,
  version: 1
})

/** The order is delivered, or on its way. */
export const fulfill = (
  order: Order,
  { tracking = null }: Pick<FulfillOrderRequest, "tracking">,
  at: DateTime.Utc
): Result.Result<Order, InvalidState> => {
  if (allows(orderMachine, order.status, "fulfill")) {
    return Result.succeed(change(order, at, { status: "fulfilled", tracking, fulfilled_at: at }))
  }
  const allowed = triggersFrom(orderMachine, order.status)
  return Result.fail(
    new InvalidState({
      message: `Cannot fulfill an order that is ${order.status}: only one that is paid and not delivered yet.`,
      details: { state: order.status, allowed }
    })
  )
}

/** In the commit of a refund; undefined where the customer has not been given everything back, or the order says so already. */
export const refund = (order: Order, { captured_amount, refunded_amount, updated_at: at }: PaymentIntent): Order | undefined =>
  refunded_amount >= captured_amount && allows(orderMachine, order.status, "refund")
    ? change(order, at, { status: "refunded", refunded_at: at })
    : undefined
