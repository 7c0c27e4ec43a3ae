/** The state transitions of a payment intent, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { paymentIntentStates } from "./model.ts"
import type { PaymentIntentState } from "./model.ts"

export type PaymentIntentTrigger =
  | "create"
  | "authorize"
  | "approve"
  | "reject"
  | "provider_approves"
  | "provider_declines"
  | "capture"
  | "void"
  | "refund"
  | "expire"

export const paymentIntentMachine: StateMachine<PaymentIntentState, PaymentIntentTrigger> = {
  name: "payment_intent",
  states: paymentIntentStates,
  terminal: ["refunded", "failed", "cancelled"],
  transitions: [
    { from: null, trigger: "create", to: "created" },
    { from: null, trigger: "create", to: "blocked", when: "a policy of the account blocks it" },
    { from: "created", trigger: "authorize", to: "authorized", when: "a rail approves" },
    { from: "created", trigger: "authorize", to: "captured", when: "a rail approves and capture was asked for" },
    {
      from: "created",
      trigger: "authorize",
      to: "pending",
      when: "the customer must act, the rail answers later, the outcome is unknown, or a reviewer must approve"
    },
    { from: "created", trigger: "authorize", to: "failed", when: "every eligible rail declines" },
    { from: "created", trigger: "authorize", to: "blocked", when: "the provider's fraud rule stops it" },
    { from: "created", trigger: "void", to: "cancelled" },
    { from: "created", trigger: "expire", to: "cancelled", when: "an agent made it, and did not come back within 10 minutes" },
    { from: "blocked", trigger: "approve", to: "created", when: "authorize may be called again past the rule" },
    { from: "blocked", trigger: "reject", to: "cancelled" },
    { from: "blocked", trigger: "void", to: "cancelled" },
    { from: "blocked", trigger: "expire", to: "cancelled", when: "7 days without a review" },
    { from: "pending", trigger: "approve", to: "authorized", when: "it waited for approval; then as authorize" },
    { from: "pending", trigger: "approve", to: "captured", when: "it waited for approval; then as authorize" },
    { from: "pending", trigger: "approve", to: "pending", when: "it waited for approval; then as authorize" },
    { from: "pending", trigger: "approve", to: "failed", when: "it waited for approval; then as authorize" },
    { from: "pending", trigger: "approve", to: "blocked", when: "it waited for approval; then as authorize" },
    { from: "pending", trigger: "reject", to: "cancelled", when: "it waited for approval" },
    { from: "pending", trigger: "provider_approves", to: "authorized" },
    { from: "pending", trigger: "provider_approves", to: "captured", when: "capture was asked for" },
    { from: "pending", trigger: "provider_declines", to: "failed" },
    { from: "pending", trigger: "void", to: "cancelled", when: "nothing is under way at the rail" },
    { from: "pending", trigger: "expire", to: "failed", when: "7 days without an answer" },
    { from: "pending", trigger: "expire", to: "cancelled", when: "7 days without an approval" },
    { from: "authorized", trigger: "capture", to: "captured", when: "once, for 1 up to the authorized amount" },
    { from: "authorized", trigger: "void", to: "cancelled" },
    { from: "authorized", trigger: "expire", to: "cancelled", when: "the hold ends" },
    { from: "captured", trigger: "refund", to: "captured", when: "part of the captured amount is left" },
    { from: "captured", trigger: "refund", to: "refunded", when: "nothing is left" }
  ]
}
