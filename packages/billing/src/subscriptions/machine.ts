/** The moves of a subscription, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type SubscriptionStatus, subscriptionStatuses } from "./model.ts"

export type SubscriptionTrigger =
  | "create"
  | "update"
  | "renew"
  | "payment_failed"
  | "payment_succeeded"
  | "exhaust"
  | "pause"
  | "resume"
  | "cancel"
  | "cancel_at_end"
  | "end"
  | "uncancel"
  | "change_plan"
  | "change_anchor"

export const subscriptionMachine: StateMachine<SubscriptionStatus, SubscriptionTrigger> = {
  name: "subscription",
  states: subscriptionStatuses,
  terminal: ["canceled"],
  transitions: [
    { from: null, trigger: "create", to: "trialing", when: "the plan has a trial" },
    { from: null, trigger: "create", to: "active", when: "the plan has no trial" },
    ...(["trialing", "active", "past_due", "paused"] as const).map((from) => ({ from, trigger: "update" as const, to: from })),
    { from: "trialing", trigger: "renew", to: "active", when: "the trial ends" },
    { from: "trialing", trigger: "end", to: "canceled", when: "the trial ends and cancel_at_end is set" },
    { from: "trialing", trigger: "pause", to: "paused" },
    { from: "trialing", trigger: "cancel", to: "canceled" },
    { from: "trialing", trigger: "cancel_at_end", to: "trialing" },
    { from: "trialing", trigger: "uncancel", to: "trialing" },
    { from: "trialing", trigger: "change_plan", to: "trialing" },
    { from: "active", trigger: "renew", to: "active", when: "the period ends" },
    { from: "active", trigger: "end", to: "canceled", when: "the period ends and cancel_at_end is set" },
    { from: "active", trigger: "payment_failed", to: "past_due" },
    { from: "active", trigger: "payment_succeeded", to: "active" },
    { from: "active", trigger: "exhaust", to: "canceled", when: "nothing was charged until the cycle's grace was over" },
    { from: "active", trigger: "exhaust", to: "paused", when: "so, and the account says so" },
    { from: "active", trigger: "pause", to: "paused" },
    { from: "active", trigger: "cancel", to: "canceled" },
    { from: "active", trigger: "cancel_at_end", to: "active" },
    { from: "active", trigger: "uncancel", to: "active" },
    { from: "active", trigger: "change_plan", to: "active" },
    { from: "active", trigger: "change_anchor", to: "active" },
    { from: "past_due", trigger: "payment_failed", to: "past_due" },
    { from: "past_due", trigger: "payment_succeeded", to: "active" },
    { from: "past_due", trigger: "end", to: "canceled", when: "the period ends and cancel_at_end is set" },
    { from: "past_due", trigger: "exhaust", to: "canceled", when: "the cycle failed for good" },
    { from: "past_due", trigger: "exhaust", to: "paused", when: "the cycle failed for good and the account says so" },
    { from: "past_due", trigger: "pause", to: "paused" },
    { from: "past_due", trigger: "cancel", to: "canceled" },
    { from: "past_due", trigger: "cancel_at_end", to: "past_due" },
    { from: "past_due", trigger: "uncancel", to: "past_due" },
    { from: "past_due", trigger: "change_plan", to: "past_due", when: "at the period's end" },
    { from: "paused", trigger: "resume", to: "active" },
    { from: "paused", trigger: "resume", to: "trialing", when: "time of the trial is left" },
    {
      from: "paused",
      trigger: "payment_succeeded",
      to: "active",
      when: "the cycle that paused it when it failed is paid after all, and time of its period was left"
    },
    { from: "paused", trigger: "cancel", to: "canceled" },
    { from: "paused", trigger: "cancel_at_end", to: "paused" },
    { from: "paused", trigger: "uncancel", to: "paused" }
  ]
}
