/** What the page of the assistant says. */
import type { AssistantTexts } from "../shapes/assistant.ts"

export const assistant: AssistantTexts = {
  question: "Your question",
  note: "In plain English. It reads what you may read, and changes nothing.",
  ask: "Ask",
  examples: "Such as",
  asked: [
    "Why was my last payment declined?",
    "When is my money available?",
    "What is missing to go live?",
    "Which webhooks fail and why?",
    "What did fees cost last month?"
  ],
  answer: "Answer",
  unsure: "I am not sure that this is what you asked. Say it in other words, or name an id such as pi_….",
  open: "Open the page that shows it",
  helps: "What helps",
  acts: {
    open_onboarding_status: {
      label: "Show where the account stands",
      does: "Reads how far the account is on its way to live. Changes nothing."
    },
    refresh_work_run: { label: "Look again at the steps to live", does: "Computes the steps anew from what the account has now." },
    accept_tos: {
      label: "Accept the terms of service",
      does: "Keeps that you accepted the present version of the terms for this account."
    },
    create_passthrough_session: {
      label: "Open a page for confidential facts",
      does: "Makes a page of one hour on which a person gives what no assistant should hear."
    },
    open_passthrough_payout_bank: {
      label: "Give the bank account for payouts",
      does: "Opens a page of one hour for the bank account that payouts go to."
    },
    open_passthrough_business_verify: {
      label: "Give the facts of the business",
      does: "Opens a page of one hour for the facts by which your business is verified."
    },
    apply_passthrough_prefill: {
      label: "Fill in what is known already",
      does: "Fills fields of the open page from the account. Never a number of a bank account."
    },
    plaid_link_token: { label: "Begin a link with your bank", does: "Begins a link with the provider of bank links." },
    plaid_exchange: { label: "Finish the link with your bank", does: "Takes what the bank's page gave, and keeps it sealed." },
    plaid_verify_payout: { label: "Verify the linked account for payouts", does: "Makes a payout destination of the linked bank account." },
    plaid_processor_token: { label: "Get a token for a processor", does: "Makes a token of the linked bank account. It is shown once." },
    enable_go_live: { label: "Ask to go live", does: "Asks the operator to make the account live. Nothing changes before they approve." }
  },
  statuses: { completed: "Done", needs_approval: "Waits for approval", failed: "Not done" },
  completed: "It was done in your name, and stands in the audit log.",
  result: "What came of it",
  fields: {
    path: "Page",
    goal_progress_pct: "Steps done, in percent",
    next_step_id: "Next step",
    work_run_id: "Work run",
    version: "Version",
    accepted_at: "Accepted",
    passthrough_session_id: "Session",
    fields: "Fields that are filled",
    bank_link_id: "Bank link",
    link_token: "Token of the link",
    expires_at: "Ends",
    item_id: "ID at the provider",
    accounts: "Accounts",
    destination_id: "Payout destination",
    status: "Status",
    processor_token: "Token for the processor (shown once)",
    approval_id: "Request",
    live_account_id: "Live account",
    waits_for: "Waits for",
    seen_at: "Where it can be seen",
    missing: "Missing",
    error: "Code",
    required_scope: "Scope that is missing"
  },
  again: "Ask something else"
}
