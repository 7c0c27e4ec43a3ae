/** The moves of a purchase, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type CreditPurchaseState, creditPurchaseStates } from "./model.ts"

export type CreditPurchaseTrigger = "create" | "charge" | "pay" | "decline" | "expire"

export const creditPurchaseMachine: StateMachine<CreditPurchaseState, CreditPurchaseTrigger> = {
  name: "credit_purchase",
  states: creditPurchaseStates,
  terminal: ["paid", "failed", "expired"],
  transitions: [
    { from: null, trigger: "create", to: "open" },
    { from: "open", trigger: "charge", to: "open", when: "somebody pays, and it is not known yet whether the money came" },
    { from: "open", trigger: "pay", to: "paid", when: "the money came: the grant is made in the same commit" },
    { from: "open", trigger: "decline", to: "open", when: "a card is declined on the page, where another may be chosen" },
    { from: "open", trigger: "decline", to: "failed", when: "the request named the card, or five were declined" },
    { from: "open", trigger: "expire", to: "expired", when: "nobody has paid for a day" }
  ]
}
