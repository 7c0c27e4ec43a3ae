/** How people look at plans. */
import { viewOf } from "@svc/kernel/resource/view"
import { PlansGroup } from "./api.ts"
import { BillingPeriod, PlanJson } from "./model.ts"

const optional = [
  { field: "description", as: "long", initially: "description", optional: true },
  { field: "external_id", as: "text", initially: "external_id", optional: true },
  { field: "trial_period_days", as: "number", initially: "trial_period_days", optional: true },
  { field: "grace_period_days", as: "number", initially: "grace_period_days", optional: true }
] as const

export const plansView = viewOf(PlansGroup, PlanJson, {
  name: "plans",
  section: "customers",
  columns: [
    { field: "name", as: "text" },
    { field: "amount", as: "money" },
    { field: "billing_period", as: "state" },
    { field: "status", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "currency", "billing_period", "external_id"],
  choosable: {
    label: [{ field: "name", as: "text" }, { field: "amount", as: "money" }, { field: "billing_period", as: "state" }],
    where: { status: "active" }
  },
  facts: [
    { field: "name", as: "text" },
    { field: "amount", as: "money" },
    { field: "billing_period", as: "state" },
    { field: "status", as: "state" },
    { field: "description", as: "text" },
    { field: "external_id", as: "id" },
    { field: "trial_period_days", as: "number" },
    { field: "grace_period_days", as: "number" },
    { field: "allow_proration", as: "flag" },
    { field: "id", as: "id" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  related: [{ view: "subscriptions", filter: "plan_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "name", as: "text" },
        { field: "amount", as: "money", of: "currency" },
        { field: "currency", as: "text" },
        { field: "billing_period", as: "choice", from: BillingPeriod.literals },
        ...optional
      ]
    },
    {
      endpoint: "update",
      on: "one",
      when: { field: "status", in: ["draft", "active"] },
      asks: [{ field: "name", as: "text", initially: "name" }, ...optional]
    },
    { endpoint: "activate", on: "one", when: { field: "status", in: ["draft"] }, asks: [] },
    {
      endpoint: "archive",
      on: "one",
      when: { field: "status", in: ["draft", "active"] },
      asks: [{ field: "cancel_subscriptions", as: "choice", from: ["none", "at_period_end", "now"] }],
      final: true
    }
  ]
})
