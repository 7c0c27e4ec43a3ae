/** The moves of a checkout session, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type CheckoutSessionStatus, checkoutSessionStatuses } from "./model.ts"

export type CheckoutSessionTrigger = "create" | "pay" | "complete" | "expire"

export const checkoutSessionMachine: StateMachine<CheckoutSessionStatus, CheckoutSessionTrigger> = {
  name: "checkout_session",
  states: checkoutSessionStatuses,
  terminal: ["complete", "expired"],
  transitions: [
    { from: null, trigger: "create", to: "open" },
    { from: "open", trigger: "pay", to: "open", when: "payment_status is processing until it is known what became of it" },
    { from: "open", trigger: "complete", to: "complete", when: "the money was captured, or the trial began" },
    { from: "open", trigger: "expire", to: "expired", when: "by a request or when its time is over, while no payment is under way" }
  ]
}
