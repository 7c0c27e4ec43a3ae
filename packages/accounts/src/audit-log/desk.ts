/** How people look at the audit log. */
import { viewOf } from "@svc/kernel/resource/view"
import { AuditLogGroup } from "./api.ts"
import { AuditEntry } from "./model.ts"

export const auditLogView = viewOf(AuditLogGroup, AuditEntry, {
  name: "audit_log",
  section: "account",
  columns: [
    { field: "created_at", as: "time" },
    { field: "action", as: "text" },
    { field: "resource_id", as: "id" },
    { field: "actor_type", as: "state" },
    { field: "actor_id", as: "id" }
  ],
  filters: ["action", "resource_id", "actor_id", "created_at[gte]", "created_at[lt]"],
  facts: [
    { field: "created_at", as: "time" },
    { field: "action", as: "text" },
    { field: "resource_type", as: "state" },
    { field: "resource_id", as: "id" },
    { field: "actor_type", as: "state" },
    { field: "actor_id", as: "id" },
    { field: "operation", as: "text" },
    { field: "request_id", as: "id" },
    { field: "ip", as: "text" },
    { field: "before", as: "value" },
    { field: "after", as: "value" },
    { field: "id", as: "id" }
  ]
})
