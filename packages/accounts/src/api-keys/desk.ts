/** How people look at API keys. */
import { viewOf } from "@svc/kernel/resource/view"
import { ApiKeysGroup } from "./api.ts"
import { ApiKeyJson } from "./model.ts"

export const apiKeysView = viewOf(ApiKeysGroup, ApiKeyJson, {
  name: "api_keys",
  section: "developers",
  columns: [
    { field: "name", as: "text" },
    { field: "kind", as: "state" },
    { field: "prefix", as: "id" },
    { field: "status", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: [],
  facts: [
    { field: "name", as: "text" },
    { field: "kind", as: "state" },
    { field: "prefix", as: "id" },
    { field: "scopes", as: "value" },
    { field: "status", as: "state" },
    { field: "revoked_at", as: "time" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "audit_log", filter: "actor_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "name", as: "text" },
        { field: "kind", as: "choice", from: ["restricted", "secret", "tool"] },
        { field: "scopes", as: "many", from: "scopes", all: "each", optional: true }
      ],
      reveals: "secret"
    },
    { endpoint: "revoke", on: "one", when: { field: "status", in: ["active"] }, asks: [], final: true }
  ]
})
