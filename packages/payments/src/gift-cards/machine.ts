/** The moves of a gift card, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type GiftCardStatus, giftCardStatuses } from "./model.ts"

export type GiftCardTrigger = "issue" | "load" | "redeem" | "refund"

export const giftCardMachine: StateMachine<GiftCardStatus, GiftCardTrigger> = {
  name: "gift_card",
  states: giftCardStatuses,
  terminal: [],
  transitions: [
    { from: null, trigger: "issue", to: "issued" },
    { from: "issued", trigger: "load", to: "active" },
    { from: "active", trigger: "load", to: "active" },
    { from: "used", trigger: "load", to: "active" },
    { from: "active", trigger: "redeem", to: "active", when: "part of its money is left" },
    { from: "active", trigger: "redeem", to: "used", when: "nothing is left" },
    { from: "active", trigger: "refund", to: "active", when: "a payment that it made is refunded" },
    { from: "used", trigger: "refund", to: "active", when: "a payment that it made is refunded" }
  ]
}
