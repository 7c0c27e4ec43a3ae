/** How people look at portal sessions. */
import { viewOf } from "@svc/kernel/resource/view"
import { PortalSessionsGroup } from "./api.ts"
import { PortalSessionJson } from "./model.ts"

export const portalSessionsView = viewOf(PortalSessionsGroup, PortalSessionJson, {
  name: "portal_sessions",
  section: "customers",
  columns: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "status", as: "state" },
    { field: "expires_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "customer_id"],
  facts: [
    { field: "customer_id", as: "id", view: "customers" },
    { field: "status", as: "state" },
    { field: "url", as: "link" },
    { field: "return_url", as: "text" },
    { field: "locale", as: "text" },
    { field: "last_plan_change", as: "value" },
    { field: "expires_at", as: "time" },
    { field: "revoked_at", as: "time" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "customer_id", as: "text" },
        { field: "return_url", as: "text", optional: true },
        { field: "locale", as: "text", optional: true }
      ]
    },
    { endpoint: "revoke", on: "one", when: { field: "status", in: ["active"] }, asks: [], final: true }
  ]
})
