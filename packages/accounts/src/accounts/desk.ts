/** How people look at their account, and those of the installation at all accounts. */
import { viewOf } from "@svc/kernel/resource/view"
import { OperatorLegalEntitiesGroup } from "../legal-entities/api.ts"
import { AccountsGroup, OperatorAccountsGroup } from "./api.ts"
import { AccountJson } from "./model.ts"

const facts = [
  { field: "name", as: "text" },
  { field: "status", as: "state" },
  { field: "sandbox", as: "flag" },
  { field: "capabilities", as: "value" },
  { field: "restrictions", as: "value" },
  { field: "fee_tier_bps", as: "number" },
  { field: "settings.fee_bps", as: "number" },
  { field: "settings.fee_fixed", as: "money", currency: "each" },
  { field: "settings.dispute_fee", as: "money", currency: "each" },
  { field: "settings.payout_fee", as: "money", currency: "each" },
  { field: "settings.fee_refund_policy", as: "state" },
  { field: "payout_method", as: "state" },
  { field: "payout_destination", as: "id" },
  { field: "settlement_asset", as: "text" },
  { field: "settings.payouts.schedule", as: "state" },
  { field: "settings.payouts.minimum", as: "money", currency: "each" },
  { field: "settings.settlement_delay_days", as: "number" },
  { field: "settings.require_approval_above", as: "money", currency: "each" },
  { field: "settings.people.second_look_above", as: "money", of: "settings.people.currency" },
  { field: "settings.people.currency", as: "text" },
  { field: "settings.block_above", as: "money", currency: "each" },
  { field: "settings.blocked_countries", as: "value" },
  { field: "settings.routing", as: "value" },
  { field: "settings.billing.dunning", as: "value" },
  { field: "settings.billing.on_exhaustion", as: "state" },
  { field: "settings.billing.invoice_prefix", as: "text" },
  { field: "settings.billing.time_zone", as: "text" },
  { field: "settings.portal_settings.actions", as: "value" },
  { field: "settings.portal_settings.plans", as: "value" },
  { field: "settings.branding.name", as: "text" },
  { field: "settings.branding.color", as: "text" },
  { field: "settings.branding.logo_url", as: "text" },
  { field: "settings.legal.terms_url", as: "text" },
  { field: "settings.legal.privacy_url", as: "text" },
  { field: "settings.legal.imprint_url", as: "text" },
  { field: "webhook_url", as: "text" },
  { field: "api_key_prefix", as: "id" },
  { field: "api_version", as: "text" },
  { field: "id", as: "id" },
  { field: "created_at", as: "time" },
  { field: "updated_at", as: "time" }
] as const

/** The account that the person is signed in to. */
export const accountView = viewOf(AccountsGroup, AccountJson, {
  name: "account",
  section: "account",
  single: true,
  get: "own",
  columns: [],
  filters: [],
  facts,
  actions: [{
    endpoint: "update",
    on: "one",
    asks: [
      { field: "name", as: "text", initially: "name" },
      { field: "payout_method", as: "choice", from: ["bank_transfer", "usdc_wallet"], initially: "payout_method", optional: true },
      {
        field: "payout_destination",
        as: "id",
        offers: { view: "transfer_instruments" },
        initially: "payout_destination",
        optional: true
      },
      { field: "settlement_asset", as: "choice", from: ["USD", "USDC"], initially: "settlement_asset", optional: true },
      {
        field: "settings.payouts.schedule",
        as: "choice",
        from: ["manual", "daily", "weekly"],
        initially: "settings.payouts.schedule",
        optional: true
      },
      { field: "settings.payouts.minimum", as: "money", currency: "each", initially: "settings.payouts.minimum", optional: true },
      { field: "settings.settlement_delay_days", as: "number", initially: "settings.settlement_delay_days", optional: true },
      {
        field: "settings.require_approval_above",
        as: "money",
        currency: "each",
        initially: "settings.require_approval_above",
        optional: true
      },
      {
        field: "settings.people.second_look_above",
        as: "money",
        of: "settings.people.currency",
        initially: "settings.people.second_look_above",
        optional: true
      },
      { field: "settings.people.currency", as: "text", initially: "settings.people.currency", optional: true },
      { field: "settings.block_above", as: "money", currency: "each", initially: "settings.block_above", optional: true },
      { field: "settings.blocked_countries", as: "lines", initially: "settings.blocked_countries", optional: true },
      {
        field: "settings.billing.on_exhaustion",
        as: "choice",
        from: ["cancel", "pause"],
        initially: "settings.billing.on_exhaustion",
        optional: true
      },
      { field: "settings.billing.invoice_prefix", as: "text", initially: "settings.billing.invoice_prefix", optional: true },
      { field: "settings.billing.time_zone", as: "text", initially: "settings.billing.time_zone", optional: true },
      { field: "settings.portal_settings.actions", as: "many", initially: "settings.portal_settings.actions", optional: true },
      { field: "settings.portal_settings.plans", as: "lines", initially: "settings.portal_settings.plans", optional: true },
      { field: "settings.branding.name", as: "text", initially: "settings.branding.name", optional: true },
      { field: "settings.branding.color", as: "text", initially: "settings.branding.color", optional: true },
      { field: "settings.branding.logo_url", as: "text", initially: "settings.branding.logo_url", optional: true },
      { field: "settings.legal.terms_url", as: "text", initially: "settings.legal.terms_url", optional: true },
      { field: "settings.legal.privacy_url", as: "text", initially: "settings.legal.privacy_url", optional: true },
      { field: "settings.legal.imprint_url", as: "text", initially: "settings.legal.imprint_url", optional: true },
      { field: "api_version", as: "text", initially: "api_version", optional: true }
    ]
  }]
})

/** All accounts, for people of the installation. */
export const accountsView = viewOf(OperatorAccountsGroup, AccountJson, {
  name: "accounts",
  section: "installation",
  also: [AccountsGroup, OperatorLegalEntitiesGroup],
  columns: [
    { field: "name", as: "text" },
    { field: "status", as: "state" },
    { field: "sandbox", as: "flag" },
    { field: "fee_tier_bps", as: "number" },
    { field: "created_at", as: "time" }
  ],
  filters: ["status", "sandbox", "q"],
  choosable: { label: [{ field: "name", as: "text" }, { field: "status", as: "state" }] },
  facts,
  related: [{ view: "legal_entities", filter: "merchant_id", by: "id" }, { view: "audit_log", filter: "merchant_id", by: "id" }],
  actions: [
    {
      endpoint: "create",
      on: "all",
      asks: [
        { field: "name", as: "text" },
        { field: "sandbox", as: "flag" },
        { field: "status", as: "choice", from: ["active", "pending"], optional: true },
        { field: "fee_tier_bps", as: "number", optional: true }
      ],
      reveals: "api_key.secret"
    },
    {
      endpoint: "set_terms",
      on: "one",
      asks: [
        { field: "fee_tier_bps", as: "number", initially: "fee_tier_bps", optional: true },
        { field: "fee_bps", as: "number", initially: "settings.fee_bps", optional: true },
        { field: "fee_fixed", as: "money", currency: "each", initially: "settings.fee_fixed", optional: true },
        { field: "dispute_fee", as: "money", currency: "each", initially: "settings.dispute_fee", optional: true },
        { field: "payout_fee", as: "money", currency: "each", initially: "settings.payout_fee", optional: true },
        {
          field: "fee_refund_policy",
          as: "choice",
          from: ["none", "proportional"],
          initially: "settings.fee_refund_policy",
          optional: true
        },
        { field: "capabilities", as: "many", initially: "capabilities", optional: true },
        { field: "restrictions", as: "many", initially: "restrictions", optional: true }
      ]
    },
    { endpoint: "activate", on: "one", when: { field: "status", in: ["pending"] }, asks: [] },
    { endpoint: "suspend", on: "one", when: { field: "status", in: ["active"] }, asks: [] },
    { endpoint: "reactivate", on: "one", when: { field: "status", in: ["suspended"] }, asks: [] },
    {
      endpoint: "review",
      on: "one",
      asks: [
        { field: "legal_entity_id", as: "id", offers: { view: "legal_entities", by: { merchant_id: "id" } } },
        { field: "verification_status", as: "choice", from: ["verified", "requires_info", "failed"] },
        { field: "failure_reason", as: "text", optional: true },
        { field: "requirements", as: "json", optional: true }
      ]
    },
    { endpoint: "close", on: "one", when: { field: "status", in: ["pending", "active", "suspended"] }, asks: [], final: true }
  ]
})
