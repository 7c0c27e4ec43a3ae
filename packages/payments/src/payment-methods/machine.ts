/** The moves of a payment method, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { paymentMethodStatuses } from "./model.ts"
import type { PaymentMethodStatus } from "./model.ts"

export type PaymentMethodTrigger = "create" | "update" | "revoke"

export const paymentMethodMachine: StateMachine<PaymentMethodStatus, PaymentMethodTrigger> = {
  name: "payment_method",
  states: paymentMethodStatuses,
  terminal: ["revoked"],
  transitions: [
    { from: null, trigger: "create", to: "active" },
    { from: "active", trigger: "update", to: "active" },
    { from: "active", trigger: "revoke", to: "revoked" }
  ]
}
