/** From a decision about an order to what a commit writes. */
import type { Addition } from "@svc/kernel/road/decision"
import { encode, orderEvents, orders } from "./model.ts"
import type { OrderDecision } from "./rules.ts"

export const additionOf = ({ event, order }: OrderDecision): Required<Pick<Addition, "writes" | "events">> => {
  const { row, wire } = encode(order)
  return { writes: [{ table: orders, row }], events: event === undefined ? [] : [orderEvents.draft(event, order, wire)] }
}

export const wireOf = (order: OrderDecision["order"]): string => encode(order).wire
