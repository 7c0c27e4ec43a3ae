/** How people look at agent keys: what each may do, and what it may spend. */
import { viewOf } from "@svc/kernel/resource/view"
import { AgentKeysGroup } from "./api.ts"
import { AgentKeyRecord } from "./model.ts"

const policy = [
  {
    field: "policy.allowed_tools",
    as: "many",
    from: "tools",
    all: "unlimited",
    initially: "Policy.allowed_tools",
    optional: true
  },
  { field: "policy.allowed_providers", as: "lines", initially: "Policy.allowed_providers", optional: true },
  { field: "policy.allowed_currencies", as: "lines", initially: "Policy.allowed_currencies", optional: true },
  { field: "policy.max_amount_minor_cents", as: "money", currency: "each", initially: "Policy.max_amount_minor_cents", optional: true },
  { field: "policy.require_approval_above", as: "money", currency: "each", initially: "Policy.require_approval_above", optional: true },
  { field: "policy.rate_limit_per_minute", as: "number", initially: "Policy.rate_limit_per_minute", optional: true },
  { field: "policy.budgets.hour", as: "money", currency: "USD", initially: "Policy.budgets.hour", optional: true },
  { field: "policy.budgets.day", as: "money", currency: "USD", initially: "Policy.budgets.day", optional: true },
  { field: "policy.budgets.month", as: "money", currency: "USD", initially: "Policy.budgets.month", optional: true },
  { field: "policy.budgets.life", as: "money", currency: "USD", initially: "Policy.budgets.life", optional: true }
] as const

const active = { field: "Status", in: ["active"] } as const

export const agentKeysView = viewOf(AgentKeysGroup, AgentKeyRecord, {
  name: "agent_keys",
  section: "agents",
  key: "ID",
  columns: [
    { field: "Name", as: "text" },
    { field: "Status", as: "state" },
    { field: "CallCount", as: "number" },
    { field: "LastUsedAt", as: "time" },
    { field: "ExpiresAt", as: "time" },
    { field: "CreatedAt", as: "time" }
  ],
  filters: [],
  facts: [
    { field: "Name", as: "text" },
    { field: "Status", as: "state" },
    { field: "Policy.allowed_tools", as: "value" },
    { field: "Policy.allowed_providers", as: "value" },
    { field: "Policy.allowed_currencies", as: "value" },
    { field: "Policy.max_amount_minor_cents", as: "money", currency: "each" },
    { field: "Policy.require_approval_above", as: "money", currency: "each" },
    { field: "Policy.rate_limit_per_minute", as: "number" },
    { field: "Policy.budgets.hour", as: "money", currency: "USD" },
    { field: "Policy.budgets.day", as: "money", currency: "USD" },
    { field: "Policy.budgets.month", as: "money", currency: "USD" },
    { field: "Policy.budgets.life", as: "money", currency: "USD" },
    { field: "CallCount", as: "number" },
    { field: "LastUsedAt", as: "time" },
    { field: "ParentID", as: "id" },
    { field: "IsSandbox", as: "flag" },
    { field: "TokenHash", as: "id" },
    { field: "ID", as: "id" },
    { field: "ExpiresAt", as: "time" },
    { field: "CreatedAt", as: "time" },
    { field: "UpdatedAt", as: "time" }
  ],
  related: [{ view: "audit_log", filter: "actor_id", by: "ID" }],
  actions: [
    {
      endpoint: "issue",
      on: "all",
      asks: [
        { field: "name", as: "text" },
        { field: "expires_at", as: "time", optional: true },
        { field: "parent_id", as: "id", optional: true },
        ...policy
      ],
      reveals: "token"
    },
    {
      endpoint: "update",
      on: "one",
      when: active,
      asks: [{ field: "name", as: "text", initially: "Name" }, ...policy],
      replaces: "policy"
    },
    { endpoint: "revoke", on: "one", when: active, asks: [], final: true }
  ]
})
