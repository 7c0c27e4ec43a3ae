/** How people look at requests to go live: those of an account at their own, those of the installation at all. */
import { statesFor } from "@svc/kernel/resource/state-machine"
import { viewOf } from "@svc/kernel/resource/view"
import { GoLiveRequestsGroup, OperatorGoLiveRequestsGroup } from "./api.ts"
import { goLiveMachine } from "./machine.ts"
import { GoLiveRequestJson, OperatorGoLiveRequestJson } from "./model.ts"

const look = {
  columns: [
    { field: "status", as: "state" },
    { field: "requested_by", as: "id" },
    { field: "live_account_id", as: "id" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status"],
  facts: [
    { field: "status", as: "state" },
    { field: "merchant_id", as: "id" },
    { field: "requested_by", as: "id" },
    { field: "decided_by", as: "id" },
    { field: "decided_at", as: "time" },
    { field: "rejection_reason", as: "text" },
    { field: "live_account_id", as: "id" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ]
} as const

export const goLiveRequestsView = viewOf(GoLiveRequestsGroup, GoLiveRequestJson, {
  name: "go_live_requests",
  section: "account",
  ...look,
  related: [{ view: "audit_log", filter: "resource_id", by: "id" }],
  actions: [{ endpoint: "create", on: "all", asks: [] }]
})

const asker = [{ field: "account_name", as: "text" }, { field: "legal_name", as: "text" }] as const

export const operatorGoLiveRequestsView = viewOf(OperatorGoLiveRequestsGroup, OperatorGoLiveRequestJson, {
  name: "operator_go_live_requests",
  section: "installation",
  ...look,
  columns: [...asker, ...look.columns],
  facts: [...asker, ...look.facts],
  actions: [
    {
      endpoint: "approve",
      on: "one",
      when: { field: "status", in: statesFor(goLiveMachine, "approve") },
      asks: [],
      final: true,
      reveals: "api_key.secret"
    },
    {
      endpoint: "reject",
      on: "one",
      when: { field: "status", in: statesFor(goLiveMachine, "reject") },
      asks: [{ field: "reason", as: "text" }]
    }
  ]
})
