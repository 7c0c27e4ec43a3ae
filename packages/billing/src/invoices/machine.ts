/** The moves of an invoice, as data. */
import type { StateMachine } from "@svc/kernel/resource/state-machine"
import { type InvoiceStatus, invoiceStatuses } from "./model.ts"

export type InvoiceTrigger = "create" | "update" | "finalize" | "send" | "pay" | "void" | "mark_uncollectible"

export const invoiceMachine: StateMachine<InvoiceStatus, InvoiceTrigger> = {
  name: "invoice",
  states: invoiceStatuses,
  terminal: ["void"],
  transitions: [
    { from: null, trigger: "create", to: "draft", when: "a billing cycle begins" },
    { from: "draft", trigger: "update", to: "draft" },
    {
      from: "draft",
      trigger: "finalize",
      to: "open",
      when: "by a request, by itself an hour later, and before its cycle is charged; in a sandbox at once"
    },
    { from: "draft", trigger: "void", to: "void", when: "its cycle is voided" },
    { from: "open", trigger: "send", to: "open" },
    { from: "open", trigger: "pay", to: "paid", when: "its cycle is charged" },
    { from: "open", trigger: "void", to: "void", when: "by a request, or when its cycle is voided" },
    { from: "open", trigger: "mark_uncollectible", to: "uncollectible", when: "by a request, or when its cycle has failed" },
    { from: "paid", trigger: "send", to: "paid" },
    { from: "uncollectible", trigger: "send", to: "uncollectible" },
    { from: "uncollectible", trigger: "pay", to: "paid", when: "its cycle is charged after all" },
    { from: "uncollectible", trigger: "void", to: "void" }
  ]
}
