/** The moves of a quote, as data. */
import { machineOf } from "@svc/kernel/resource/state-machine"
import { QuoteStatus } from "./model.ts"

export const quoteMachine = machineOf("quote", QuoteStatus, [
  { from: null, trigger: "create", to: "active" },
  { from: "active", trigger: "use", to: "used", when: "a payment is converted by it, once" },
  { from: "active", trigger: "expire", to: "expired", when: "5 minutes after it was made" }
])
