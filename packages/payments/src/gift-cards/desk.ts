/** How people look at gift cards. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { GiftCardsGroup } from "./api.ts"
import { giftCardMachine } from "./machine.ts"
import { GiftCardJson } from "./model.ts"

const columns = [
  { field: "balance", as: "money" },
  { field: "status", as: "state" },
  { field: "last4", as: "text" },
  { field: "created_at", as: "time" }
] as const

export const giftCardsView = viewOf(GiftCardsGroup, GiftCardJson, {
  name: "gift_cards",
  section: "money",
  columns,
  filters: ["status", "currency"],
  facts: [{ field: "id", as: "id" }, ...columns, { field: "updated_at", as: "time" }],
  related: [{ view: "financial_events", filter: "resource_id", by: "id" }],
  actions: [
    { endpoint: "issue", on: "all", asks: [{ field: "currency", as: "text" }] },
    {
      endpoint: "load",
      on: "one",
      when: { field: "status", in: statesFor(giftCardMachine, "load") },
      asks: [{ field: "amount", as: "money" }]
    },
    {
      endpoint: "redeem",
      on: "one",
      when: { field: "status", in: statesFor(giftCardMachine, "redeem") },
      asks: [
        { field: "code", as: "text" },
        { field: "amount", as: "money", optional: true },
        { field: "payment_intent_id", as: "id", optional: true }
      ],
      final: true
    }
  ]
})
