/** What can be found: the table of each kind, which of its columns a hit shows, who may read it, and the page that shows it. Data. */
import type { ApiKeyScope } from "@svc/accounts/access/model"

interface SearchedKind {
  /** What begins its ids. */
  readonly prefix: string
  readonly table: string
  readonly account: "account_id" | "merchant_id"
  readonly reads: ApiKeyScope
  /** The view of the desk whose pages show it. */
  readonly view: string
  /** SQL of what people call it, besides its id. */
  readonly title: string
  /** The column with its name, by whose words it is found; left out where it has none. */
  readonly name?: string
  /** Columns; left out where it has none. */
  readonly amount?: string
  readonly currency?: string
  readonly state?: string
}

const money = { amount: "amount", currency: "currency" } as const
const status = { state: "status" } as const
const ofAccount = { account: "account_id" } as const
const ofMerchant = { account: "merchant_id" } as const

export const kinds = {
  payment_intent: {
    prefix: "pi",
    table: "payment_intents",
    view: "payments",
    reads: "payment_intents:read",
    title: "customer_id",
    state: "state",
    ...ofMerchant,
    ...money
  },
  customer: {
    prefix: "cus",
    table: "customers",
    view: "customers",
    reads: "customers:read",
    title: "coalesce(name, email, customer_id)",
    name: "name",
    ...ofAccount
  },
  invoice: {
    prefix: "inv",
    table: "invoices",
    view: "invoices",
    reads: "invoices:read",
    title: "number",
    amount: "total",
    currency: "currency",
    ...ofAccount,
    ...status
  },
  subscription: {
    prefix: "sub",
    table: "subscriptions",
    view: "subscriptions",
    reads: "subscriptions:read",
    title: "customer_id",
    ...ofAccount,
    ...status
  },
  billing_cycle: {
    prefix: "billcycle",
    table: "billing_cycles",
    view: "billing_cycles",
    reads: "billing_cycles:read",
    title: "subscription_id",
    ...ofAccount,
    ...money,
    ...status
  },
  plan: {
    prefix: "plan",
    table: "plans",
    view: "plans",
    reads: "plans:read",
    title: "name",
    name: "name",
    ...ofAccount,
    ...money,
    ...status
  },
  order: { prefix: "ord", table: "orders", view: "orders", reads: "orders:read", title: "customer_id", ...ofAccount, ...money, ...status },
  checkout_session: {
    prefix: "cs",
    table: "checkout_sessions",
    view: "checkout_sessions",
    reads: "checkout_sessions:read",
    title: "coalesce(customer_email, customer_id)",
    ...ofAccount,
    ...money,
    ...status
  },
  payment_method: {
    prefix: "pm",
    table: "payment_methods",
    view: "payment_methods",
    reads: "payment_methods:read",
    title: "concat_ws(' ', coalesce(brand, type), '•' || last4)",
    ...ofAccount,
    ...status
  },
  dispute: {
    prefix: "dp",
    table: "disputes",
    view: "disputes",
    reads: "disputes:read",
    title: "network_reference",
    ...ofMerchant,
    ...money,
    ...status
  },
  settlement: {
    prefix: "set",
    table: "settlements",
    view: "settlements",
    reads: "settlements:read",
    title: "payment_intent_id",
    ...ofMerchant,
    ...money,
    ...status
  },
  payout: {
    prefix: "po",
    table: "payouts",
    view: "payouts",
    reads: "payouts:read",
    title: "destination_id",
    ...ofMerchant,
    ...money,
    ...status
  },
  transfer_instrument: {
    prefix: "ti",
    table: "transfer_instruments",
    view: "transfer_instruments",
    reads: "transfer_instruments:read",
    title: "holder_name || ' •' || last4",
    name: "holder_name",
    currency: "currency",
    ...ofAccount,
    ...status
  },
  bank_link: {
    prefix: "bl",
    table: "bank_links",
    view: "bank_links",
    reads: "transfer_instruments:read",
    title: "(SELECT string_agg(concat_ws(' ', a->>'name', '•' || (a->>'last_four')), ', ') FROM jsonb_array_elements(accounts) a)",
    ...ofAccount,
    ...status
  },
  legal_entity: {
    prefix: "le",
    table: "legal_entities",
    view: "legal_entities",
    reads: "legal_entities:read",
    title: "legal_name",
    name: "legal_name",
    state: "verification_status",
    ...ofAccount
  },
  conversion: {
    prefix: "cnv",
    table: "conversions",
    view: "conversions",
    reads: "conversions:read",
    title: "payment_intent_id",
    amount: "source_amount",
    currency: "source_currency",
    ...ofMerchant,
    ...status
  },
  quote: {
    prefix: "qt",
    table: "quotes",
    view: "quotes",
    reads: "quotes:read",
    title: "source_currency || ' → ' || target_currency",
    amount: "source_amount",
    currency: "source_currency",
    ...ofMerchant,
    ...status
  },
  gift_card: {
    prefix: "gc",
    table: "gift_cards",
    view: "gift_cards",
    reads: "gift_cards:read",
    title: "'•' || last4",
    amount: "balance",
    currency: "currency",
    ...ofMerchant,
    ...status
  },
  approval: {
    prefix: "apr",
    table: "approvals",
    view: "approvals",
    reads: "approvals:read",
    title: "payment_intent_id",
    ...ofMerchant,
    ...money,
    ...status
  },
  second_look: {
    prefix: "sl",
    table: "second_looks",
    view: "second_looks",
    reads: "approvals:read",
    title: "subject_id",
    ...ofMerchant,
    ...money,
    ...status
  },
  file: { prefix: "file", table: "files", view: "files", reads: "files:read", title: "filename", name: "filename", ...ofMerchant },
  financial_event: {
    prefix: "fe",
    table: "financial_events",
    view: "financial_events",
    reads: "ledger:read",
    title: "event_type",
    ...ofMerchant,
    ...money
  }
} as const satisfies Readonly<Record<string, SearchedKind>>

export type SearchKind = keyof typeof kinds

const all: Readonly<Record<SearchKind, SearchedKind>> = kinds

export const kindOf = (name: SearchKind): SearchedKind => all[name]

export const searchKinds = Object.keys(kinds) as ReadonlyArray<string> as readonly [SearchKind, ...ReadonlyArray<SearchKind>]
