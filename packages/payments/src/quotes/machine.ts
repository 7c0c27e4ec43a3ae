/** The moves of a quote, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type QuoteStatus, quoteStatuses } from "./model.ts"

export type QuoteTrigger = "create" | "use" | "expire"

export const quoteMachine: StateMachine<QuoteStatus, QuoteTrigger> = {
  name: "quote",
  states: quoteStatuses,
  terminal: ["used", "expired"],
  transitions: [
    { from: null, trigger: "create", to: "active" },
    { from: "active", trigger: "use", to: "used", when: "a payment is converted by it, once" },
    { from: "active", trigger: "expire", to: "expired", when: "5 minutes after it was made" }
  ]
}
