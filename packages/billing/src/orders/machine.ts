/** The moves of an order, as data. It begins with its payment: before that there is the checkout session, and nothing to cancel. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type OrderStatus, orderStatuses } from "./model.ts"

export type OrderTrigger = "create" | "fulfill" | "refund"

export const orderMachine: StateMachine<OrderStatus, OrderTrigger> = {
  name: "order",
  states: orderStatuses,
  terminal: ["refunded"],
  transitions: [
    { from: null, trigger: "create", to: "paid", when: "the payment of a checkout session is captured" },
    { from: "paid", trigger: "fulfill", to: "fulfilled" },
    { from: "paid", trigger: "refund", to: "refunded", when: "all of its payment is given back" },
    { from: "fulfilled", trigger: "refund", to: "refunded", when: "all of its payment is given back" }
  ]
}
