/** What an answer can propose, by kind: what it says, and where a person does it. Nothing of it comes from rows or from a model. */
import { type ActKind, actKinds, type ProposedAction } from "./model.ts"

const PAGE = "/desk/assistant"

const labels: Readonly<Record<ActKind, string>> = {
  open_onboarding_status: "Show where the account stands",
  refresh_work_run: "Look again at what is missing to go live",
  accept_tos: "Accept the terms of service",
  create_passthrough_session: "Open a page for what only a person should give",
  open_passthrough_payout_bank: "Give the bank account for payouts",
  open_passthrough_business_verify: "Give the papers of the business",
  apply_passthrough_prefill: "Fill in what the account already knows",
  plaid_link_token: "Begin a link with your bank",
  plaid_exchange: "Finish the link with your bank",
  plaid_verify_payout: "Verify the linked bank account for payouts",
  plaid_processor_token: "Get a token of the linked bank account for a processor",
  enable_go_live: "Ask the operator to make the account live"
}

const flows: Readonly<Partial<Record<ActKind, string>>> = {
  open_passthrough_payout_bank: "payout_bank",
  open_passthrough_business_verify: "business_verify"
}

/** An action that the act endpoint does. */
export const proposalOf = (kind: ActKind, primary = false): ProposedAction => ({
  kind,
  label: labels[kind],
  flow_kind: flows[kind] ?? null,
  passthrough_session_id: null,
  path: PAGE,
  primary,
  server_act: true
})

export const isActKind = (kind: unknown): kind is ActKind => actKinds.some((one) => one === kind)
