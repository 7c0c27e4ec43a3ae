/** The order of the reference: what a business does first comes first. Each chapter is a list of tags of the contract. */

export interface Chapter {
  readonly title: string
  readonly tags: ReadonlyArray<string>
}

export const chapters: ReadonlyArray<Chapter> = [
  {
    title: "Take payments",
    tags: ["Payment intents", "Payment methods", "Disputes", "Files", "Quotes", "Conversions", "Gift cards", "Approvals", "Second looks"]
  },
  { title: "Sell", tags: ["Checkout", "Customer portal", "Customers", "Orders"] },
  {
    title: "Bill",
    tags: ["Plans", "Subscriptions", "Changes of subscriptions", "Billing cycles", "Invoices", "Metrics"]
  },
  {
    title: "Move money out",
    tags: ["Balances", "Settlements", "Payouts", "Transfer instruments", "Bank links", "Legal entities", "Reserves", "Write-offs"]
  },
  {
    title: "Keep books",
    tags: ["Ledger", "Volume", "Ledger checkpoints", "Ledger export", "Reconciliation reports", "Reconciliation mismatches"]
  },
  { title: "Hear of what happens", tags: ["Webhook endpoint", "Webhook events", "Events"] },
  {
    title: "Your account",
    tags: [
      "Accounts",
      "Work run",
      "Terms",
      "Acceptances of the terms",
      "Passthrough sessions",
      "Requests to go live",
      "People",
      "Sessions of people",
      "API keys",
      "Agent keys",
      "Assistant",
      "Attention",
      "Audit log",
      "Idempotency",
      "Search",
      "Test clocks",
      "Tool calls"
    ]
  },
  {
    title: "Operate an installation",
    tags: [
      "Accounts (operator)",
      "Legal entities (operator)",
      "Requests to go live (operator)",
      "People (operator)",
      "Sessions of people (operator)",
      "Reserves (operator)",
      "Write-offs (operator)",
      "Service"
    ]
  }
]

/** The address of a tag's page: `/docs/payment-intents`. */
export const pathOf = (tag: string): `/docs/${string}` => `/docs/${tag.toLowerCase().replaceAll(/[^a-z]+/g, "-").replace(/-$/, "")}`
