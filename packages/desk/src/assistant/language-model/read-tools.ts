/** What a language model may read: a closed list of routes, all of them GET. Data. */
import type { ChatFunction } from "@svc/engines/openai/tool-chat"
import { actKinds } from "../model.ts"

export interface ReadTool {
  readonly name: string
  readonly description: string
  /** `:id` in it is an argument. */
  readonly path: string
  /** Arguments, and the parameter of the query that each becomes. */
  readonly query?: Readonly<Record<string, string>>
  /** The page of the desk that shows the same. */
  readonly page: string
}

const status = { status: "status" }

export const readTools: ReadonlyArray<ReadTool> = [
  {
    name: "list_payments",
    description: "The newest payments. `state` is one of created, authorized, captured, refunded, failed, pending, blocked, cancelled.",
    path: "/v1/payment_intents",
    query: { state: "state", from: "created_at[gte]", to: "created_at[lt]" },
    page: "/desk/payments"
  },
  { name: "get_payment", description: "One payment, with why it failed.", path: "/v1/payment_intents/:id", page: "/desk/payments" },
  { name: "list_disputes", description: "Disputes.", path: "/v1/disputes", query: status, page: "/desk/disputes" },
  { name: "get_dispute", description: "One dispute.", path: "/v1/disputes/:id", page: "/desk/disputes" },
  { name: "list_balances", description: "Available, pending and reserved money.", path: "/v1/balance_accounts", page: "/desk/settlements" },
  { name: "list_settlements", description: "Money on its way.", path: "/v1/settlements", query: status, page: "/desk/settlements" },
  { name: "list_payouts", description: "Payouts to the bank.", path: "/v1/payouts", query: status, page: "/desk/payouts" },
  { name: "get_payout", description: "One payout.", path: "/v1/payouts/:id", page: "/desk/payouts" },
  {
    name: "get_figures",
    description: "Volume, refunds and fees between two moments, by currency.",
    path: "/v1/metrics",
    query: { from: "from", to: "to" },
    page: "/desk"
  },
  { name: "list_subscriptions", description: "Subscriptions.", path: "/v1/subscriptions", query: status, page: "/desk/subscriptions" },
  { name: "list_invoices", description: "Invoices.", path: "/v1/invoices", query: status, page: "/desk/invoices" },
  {
    name: "list_approvals",
    description: "Payments that wait for a person.",
    path: "/v1/approvals",
    query: status,
    page: "/desk/approvals"
  },
  { name: "list_customers", description: "Customers.", path: "/v1/customers", query: { email: "email" }, page: "/desk/customers" },
  { name: "list_plans", description: "Plans: what is sold by subscription.", path: "/v1/plans", query: status, page: "/desk/plans" },
  { name: "list_files", description: "Files that were uploaded, such as evidence.", path: "/v1/files", page: "/desk/files" },
  { name: "list_agent_keys", description: "Keys of agents, and what they may do.", path: "/v1/agent_keys", page: "/desk/agent_keys" },
  {
    name: "list_deliveries",
    description: "Deliveries of webhooks. `status` is one of pending, delivered, failed, retrying.",
    path: "/v1/webhook_events",
    query: status,
    page: "/desk/webhook_events"
  },
  { name: "get_webhook_endpoint", description: "Where webhooks go.", path: "/v1/webhook_endpoint", page: "/desk/webhook_endpoint" }
]

const LOOK_UP: ChatFunction = {
  name: "look_up",
  description:
    "Answers a question in English from the documentation, the error codes, the state machines, what is missing to go live, and " +
    "topics that compute exactly from rows. Ask it first.",
  parameters: { type: "object", properties: { question: { type: "string" } }, required: ["question"] }
}

const PROPOSE: ChatFunction = {
  name: "propose_action",
  description: "Shows the merchant a button for something that helps. It does nothing by itself.",
  parameters: { type: "object", properties: { kind: { type: "string", enum: actKinds } }, required: ["kind"] }
}

const functionOf = ({ description, name, path, query = {} }: ReadTool): ChatFunction => {
  const names = [...path.endsWith("/:id") ? ["id"] : [], ...Object.keys(query)]
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(names.map((one) => [one, { type: "string" }])),
      required: names.filter((one) => one === "id")
    }
  }
}

export const functions: ReadonlyArray<ChatFunction> = [LOOK_UP, ...readTools.map(functionOf), PROPOSE]

const ROWS = "10"
const ID = /^[a-z_]{2,20}_[0-9A-HJKMNP-TV-Z]{26}$/u

/** The request for these arguments; undefined where they are none of this tool's. */
export const requestOf = ({ path, query = {} }: ReadTool, given: Readonly<Record<string, unknown>>): string | undefined => {
  if (path.endsWith("/:id")) {
    const { id } = given
    return typeof id === "string" && ID.test(id) ? path.replace(":id", id) : undefined
  }
  const filters = Object.entries(query).flatMap(([name, parameter]) => {
    const value = given[name]
    return typeof value === "string" && value !== "" ? [[parameter, value] as const] : []
  })
  const parameters = path === "/v1/metrics" || path === "/v1/webhook_endpoint" ? filters : [["per_page", ROWS] as const, ...filters]
  return parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`
}
