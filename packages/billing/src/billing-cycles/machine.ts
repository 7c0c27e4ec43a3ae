/** The moves of a billing cycle, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type BillingCycleStatus, billingCycleStatuses } from "./model.ts"

export type BillingCycleTrigger = "create" | "succeed" | "fail" | "void" | "refund"

export const billingCycleMachine: StateMachine<BillingCycleStatus, BillingCycleTrigger> = {
  name: "billing_cycle",
  states: billingCycleStatuses,
  terminal: ["voided", "refunded"],
  transitions: [
    { from: null, trigger: "create", to: "pending" },
    { from: null, trigger: "create", to: "charged", when: "there is nothing to charge" },
    { from: "pending", trigger: "succeed", to: "charged", when: "its payment is captured, or a success is recorded" },
    { from: "pending", trigger: "fail", to: "pending", when: "it may be charged again" },
    { from: "pending", trigger: "fail", to: "failed", when: "the last try failed, or the grace is over" },
    { from: "pending", trigger: "void", to: "voided", when: "its subscription is canceled or paused" },
    { from: "failed", trigger: "succeed", to: "charged", when: "it is paid after all: a success is recorded, or its invoice is paid" },
    { from: "failed", trigger: "void", to: "voided", when: "its invoice is voided" },
    { from: "charged", trigger: "refund", to: "charged", when: "part of its payment is given back" },
    { from: "charged", trigger: "refund", to: "refunded", when: "all of its payment is given back" }
  ]
}
