/** The moves of a gift card, as data. */
import { machineOf } from "@svc/kernel/resource/state-machine"
import { GiftCardStatus } from "./model.ts"

export const giftCardMachine = machineOf("gift_card", GiftCardStatus, [
  { from: null, trigger: "issue", to: "issued" },
  { from: "issued", trigger: "load", to: "active" },
  { from: "active", trigger: "load", to: "active" },
  { from: "used", trigger: "load", to: "active" },
  { from: "active", trigger: "redeem", to: "active", when: "part of its money is left" },
  { from: "active", trigger: "redeem", to: "used", when: "nothing is left" },
  { from: "active", trigger: "refund", to: "active", when: "a payment that it made is refunded" },
  { from: "used", trigger: "refund", to: "active", when: "a payment that it made is refunded" }
])

export type GiftCardTrigger = typeof giftCardMachine.transitions[number]["trigger"]
