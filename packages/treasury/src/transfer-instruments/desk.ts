/** How people look at transfer instruments: the bank accounts, cards and wallets that payouts go to. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { TransferInstrumentsGroup } from "./api.ts"
import { instrumentMachine } from "./machine.ts"
import { InstrumentType, TransferInstrumentJson } from "./model.ts"

export const transferInstrumentsView = viewOf(TransferInstrumentsGroup, TransferInstrumentJson, {
  name: "transfer_instruments",
  section: "money",
  columns: [
    { field: "holder_name", as: "text" },
    { field: "type", as: "state" },
    { field: "last4", as: "text" },
    { field: "currency", as: "text" },
    { field: "status", as: "state" },
    { field: "is_default", as: "flag" }
  ],
  filters: ["status", "type", "currency"],
  choosable: {
    label: [
      { field: "type", as: "state" },
      { field: "holder_name", as: "text" },
      { field: "last4", as: "text" },
      { field: "currency", as: "text" }
    ],
    where: { status: "active" },
    first: "is_default"
  },
  facts: [
    { field: "id", as: "id" },
    { field: "holder_name", as: "text" },
    { field: "type", as: "state" },
    { field: "status", as: "state" },
    { field: "failure_reason", as: "text" },
    { field: "currency", as: "text" },
    { field: "last4", as: "text" },
    { field: "routing_number", as: "text" },
    { field: "is_default", as: "flag" },
    { field: "legal_entity_id", as: "id" },
    { field: "verified_at", as: "time" },
    { field: "active_from", as: "time" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "payouts", filter: "destination_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "type", as: "choice", from: InstrumentType.literals },
        { field: "currency", as: "text" },
        { field: "holder_name", as: "text" },
        { field: "number", as: "text" },
        { field: "routing_number", as: "text", optional: true },
        { field: "legal_entity_id", as: "id", offers: { view: "legal_entities" }, optional: true }
      ]
    },
    {
      endpoint: "verify",
      on: "one",
      when: { field: "status", in: statesFor(instrumentMachine, "verify") },
      asks: [{ field: "method", as: "choice", from: ["instant", "micro_deposits"] }, {
        field: "amounts",
        as: "json",
        optional: true
      }]
    },
    { endpoint: "resubmit", on: "one", when: { field: "status", in: statesFor(instrumentMachine, "resubmit") }, asks: [] },
    { endpoint: "activate", on: "one", when: { field: "status", in: statesFor(instrumentMachine, "activate") }, asks: [] },
    { endpoint: "make_default", on: "one", when: { field: "status", in: statesFor(instrumentMachine, "make_default") }, asks: [] },
    { endpoint: "archive", on: "one", when: { field: "status", in: statesFor(instrumentMachine, "archive") }, asks: [], final: true }
  ]
})
