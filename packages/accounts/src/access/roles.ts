/** What each role may do: sets of the scopes that routes ask for. Data, which pages show and authorization reads. */
import type { Role } from "./model.ts"

type Others = Exclude<Role, "owner">

const everybody: ReadonlyArray<Others> = ["developer", "support", "finance", "viewer"]
const nobody: ReadonlyArray<Others> = []

interface Access {
  readonly read: ReadonlyArray<Others>
  readonly write: ReadonlyArray<Others>
}

/**
 * Who reads and who writes what, besides owners, who may do all. Support helps customers: it refunds, bills anew and answers disputes.
 * Finance moves money and compares books. Developers connect software. Viewers look. Keys, and who changed what, are not for everybody.
 */
export const access: Readonly<Record<string, Access>> = {
  account: { read: everybody, write: nobody },
  agent_keys: { read: ["developer", "finance"], write: ["developer"] },
  api_keys: { read: ["developer"], write: ["developer"] },
  approvals: { read: everybody, write: ["finance"] },
  /** It reads and acts by the scopes of whoever asks. */
  assistant: { read: everybody, write: everybody },
  /** Each of the things by the scope with which it is read. */
  attention: { read: everybody, write: nobody },
  /** It shows what changed of everything, holders of bank accounts and addresses among it. */
  audit_log: { read: ["finance"], write: nobody },
  billing_cycles: { read: everybody, write: ["finance"] },
  checkout_sessions: { read: everybody, write: ["developer", "support"] },
  conversions: { read: everybody, write: nobody },
  customer_portal: { read: everybody, write: ["developer", "support"] },
  customers: { read: everybody, write: ["support"] },
  disputes: { read: everybody, write: ["support", "finance"] },
  files: { read: everybody, write: ["support", "finance"] },
  gift_cards: { read: everybody, write: ["finance"] },
  invoices: { read: everybody, write: ["support", "finance"] },
  ledger: { read: everybody, write: nobody },
  legal_entities: { read: ["finance", "viewer"], write: ["finance"] },
  metrics: { read: everybody, write: nobody },
  orders: { read: everybody, write: ["support"] },
  /** Making one needs, besides, the scope of what comes of it. */
  passthrough_sessions: { read: ["finance", "viewer"], write: ["finance"] },
  payment_intents: { read: everybody, write: ["support", "finance"] },
  payment_methods: { read: everybody, write: ["developer", "support"] },
  payouts: { read: everybody, write: ["finance"] },
  people: { read: everybody, write: nobody },
  /** Their own ones. */
  person_sessions: { read: everybody, write: everybody },
  plans: { read: everybody, write: ["developer", "finance"] },
  quotes: { read: everybody, write: ["developer", "finance"] },
  reconciliation: { read: everybody, write: ["finance"] },
  reserves: { read: everybody, write: nobody },
  /** It finds by the scopes of whoever searches. */
  search: { read: everybody, write: nobody },
  settlements: { read: everybody, write: ["finance"] },
  snapshots: { read: everybody, write: ["developer"] },
  subscriptions: { read: everybody, write: ["support"] },
  test_clocks: { read: everybody, write: ["developer"] },
  /** Whoever writes lets agent keys call tools, which spend credits. */
  tool_calls: { read: ["developer", "finance", "viewer"], write: ["developer"] },
  transfer_instruments: { read: ["finance", "viewer"], write: ["finance"] },
  webhooks: { read: everybody, write: ["developer"] },
  /** Whoever works towards going live has it computed anew. */
  work_runs: { read: everybody, write: ["developer", "support", "finance"] }
}

const has = (role: Others, scope: string): boolean => {
  const [resource = "", kind] = scope.split(":")
  return access[resource]?.[kind === "read" ? "read" : "write"].includes(role) === true
}

/** The scopes of a role. `known` are those that some route asks for. */
export const scopesOf = (role: Role, known: ReadonlySet<string>): ReadonlySet<string> =>
  role === "owner" ? known : new Set(Array.from(known).filter((scope) => has(role, scope)))
