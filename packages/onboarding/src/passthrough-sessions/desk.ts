/** How people look at passthrough sessions. */
import { viewOf } from "@svc/kernel/resource/view"
import { PassthroughSessionsGroup } from "./api.ts"
import { FlowKind, PassthroughSessionJson } from "./model.ts"

export const passthroughSessionsView = viewOf(PassthroughSessionsGroup, PassthroughSessionJson, {
  name: "passthrough_sessions",
  section: "account",
  columns: [
    { field: "flow_kind", as: "state" },
    { field: "status", as: "state" },
    { field: "result_id", as: "id" },
    { field: "expires_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "flow_kind"],
  facts: [
    { field: "flow_kind", as: "state" },
    { field: "status", as: "state" },
    { field: "path", as: "link" },
    { field: "prefilled", as: "value" },
    { field: "result_id", as: "id" },
    { field: "made_by.id", as: "id" },
    { field: "expires_at", as: "time" },
    { field: "completed_at", as: "time" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "audit_log", filter: "resource_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [{ field: "flow_kind", as: "choice", from: FlowKind.literals }, { field: "reuse", as: "flag", optional: true }]
    },
    { endpoint: "prefill", on: "one", when: { field: "status", in: ["open"] }, asks: [{ field: "fields", as: "json" }] }
  ]
})
