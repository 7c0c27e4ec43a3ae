/** How people look at bank links: sign-ins at banks, and what became of their accounts. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { BankLinksGroup } from "./api.ts"
import { bankLinkMachine } from "./machine.ts"
import { BankLinkJson, simulatedOutcomes } from "./model.ts"

/** The accounts of the link itself. */
const bankAccount = {
  field: "bank_account_id",
  as: "id",
  offers: {
    held: "accounts",
    label: [{ field: "name", as: "text" }, { field: "last_four", as: "text" }, { field: "currency", as: "text" }]
  }
} as const

export const bankLinksView = viewOf(BankLinksGroup, BankLinkJson, {
  name: "bank_links",
  section: "money",
  columns: [
    { field: "id", as: "id" },
    { field: "status", as: "state" },
    { field: "item_id", as: "text" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status"],
  facts: [
    { field: "id", as: "id" },
    { field: "status", as: "state" },
    { field: "failure_reason", as: "text" },
    {
      field: "accounts",
      as: "value",
      rows: [
        { field: "name", as: "text" },
        { field: "holder_name", as: "text" },
        { field: "last_four", as: "text" },
        { field: "currency", as: "text" },
        { field: "destination_id", as: "id" }
      ]
    },
    { field: "item_id", as: "text" },
    { field: "link_token", as: "text" },
    { field: "expires_at", as: "time" },
    { field: "linked_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    { endpoint: "create", on: "all", asks: [] },
    { endpoint: "exchange", on: "all", asks: [{ field: "public_token", as: "text" }], next: "verify_payout" },
    {
      endpoint: "simulate",
      on: "one",
      when: { field: "status", in: statesFor(bankLinkMachine, "simulate") },
      asks: [{ field: "outcome", as: "choice", from: simulatedOutcomes, optional: true }],
      reveals: "public_token",
      next: "exchange"
    },
    {
      endpoint: "verify_payout",
      on: "one",
      when: { field: "status", in: statesFor(bankLinkMachine, "verify_payout") },
      asks: [bankAccount]
    },
    {
      endpoint: "processor_token",
      on: "one",
      when: { field: "status", in: statesFor(bankLinkMachine, "processor_token") },
      asks: [{ ...bankAccount, optional: true }],
      reveals: "processor_token"
    }
  ]
})
