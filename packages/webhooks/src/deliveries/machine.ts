/** The moves of a delivery, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type DeliveryStatus, deliveryStatuses } from "./model.ts"

export type DeliveryTrigger = "commit" | "replay" | "accept" | "fail" | "exhaust" | "refuse"

export const deliveryMachine: StateMachine<DeliveryStatus, DeliveryTrigger> = {
  name: "webhook_event",
  states: deliveryStatuses,
  terminal: ["delivered", "failed"],
  transitions: [
    { from: null, trigger: "commit", to: "pending", when: "an event is committed while the account has an endpoint" },
    { from: null, trigger: "replay", to: "pending", when: "a finished delivery is replayed, as a new one of the same event" },
    { from: "pending", trigger: "accept", to: "delivered", when: "the receiver answers 2xx" },
    { from: "pending", trigger: "fail", to: "retrying", when: "5xx, 408, 429, no answer in 10 s or no connection" },
    { from: "pending", trigger: "refuse", to: "failed", when: "any other status, a host that does not resolve, or no endpoint any more" },
    { from: "retrying", trigger: "accept", to: "delivered", when: "the receiver answers 2xx" },
    { from: "retrying", trigger: "fail", to: "retrying", when: "attempts are left" },
    { from: "retrying", trigger: "exhaust", to: "failed", when: "the last attempt failed" },
    { from: "retrying", trigger: "refuse", to: "failed", when: "any other status, a host that does not resolve, or no endpoint any more" }
  ]
}
