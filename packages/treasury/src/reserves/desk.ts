/** How people look at reserves: those of an account at what is held of it, those of the installation at what they hold of all. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { OperatorReservesGroup, ReservesGroup } from "./api.ts"
import { reserveMachine } from "./machine.ts"
import { ReserveJson } from "./model.ts"

const look = {
  columns: [
    { field: "amount", as: "money" },
    { field: "released_amount", as: "money" },
    { field: "forfeited_amount", as: "money" },
    { field: "status", as: "state" },
    { field: "reason", as: "text" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "currency"],
  facts: [
    { field: "id", as: "id" },
    { field: "merchant_id", as: "id" },
    { field: "amount", as: "money" },
    { field: "released_amount", as: "money" },
    { field: "forfeited_amount", as: "money" },
    { field: "status", as: "state" },
    { field: "reason", as: "text" },
    { field: "closed_at", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ]
} as const

export const reservesView = viewOf(ReservesGroup, ReserveJson, {
  name: "reserves",
  section: "money",
  ...look,
  related: [{ view: "financial_events", filter: "resource_id", by: "id" }]
})

/** All that is still held, unless less is named. */
const held = {
  field: "amount",
  as: "money",
  most: { of: "amount", less: ["released_amount", "forfeited_amount"] },
  optional: true
} as const

export const operatorReservesView = viewOf(OperatorReservesGroup, ReserveJson, {
  name: "operator_reserves",
  section: "installation",
  ...look,
  columns: [{ field: "merchant_id", as: "id" }, ...look.columns],
  actions: [
    {
      endpoint: "hold",
      on: "all",
      asks: [
        { field: "merchant_id", as: "id", offers: { view: "accounts" } },
        { field: "amount", as: "money", of: "currency" },
        { field: "currency", as: "text" },
        { field: "reason", as: "long" }
      ]
    },
    {
      endpoint: "release",
      on: "one",
      when: { field: "status", in: statesFor(reserveMachine, "release") },
      asks: [held]
    },
    {
      endpoint: "forfeit",
      on: "one",
      when: { field: "status", in: statesFor(reserveMachine, "forfeit") },
      asks: [held],
      final: true
    }
  ]
})
