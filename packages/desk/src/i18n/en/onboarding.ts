import type { OnboardingTexts } from "../shapes/onboarding.ts"

/** Words of the views of `onboarding`. */
export const views = {
  terms: { many: "Terms", one: "Terms", none: "There are no terms." },
  terms_acceptances: { many: "Acceptances of the terms", one: "Acceptance of the terms", none: "The terms were not accepted yet." },
  go_live_requests: { many: "Going live", one: "Request to go live", none: "Nobody has asked to go live yet." },
  operator_go_live_requests: { many: "Requests to go live", one: "Request to go live", none: "No account asks to go live." }
}

export const fields = {
  accepted_at: "Accepted",
  accepted_by: "Accepted by",
  account_name: "Name of the account",
  live_account_id: "Live account",
  rejection_reason: "Why it was rejected",
  terms_version: "Version",
  text: "Text",
  version: "Version"
}

export const actions = {
  terms: { accept: "Accept the terms" },
  terms_acceptances: {},
  go_live_requests: { create: "Ask to go live" },
  operator_go_live_requests: { approve: "Approve and open the live account", reject: "Reject" }
}

export const onboarding: OnboardingTexts = {
  title: "On the way to live",
  live: {
    title: "Your account is live: what is still open",
    payment: "Send a customer to a checkout page, or charge a payment method from your server. Test cards do not work here."
  },
  progress: (done, all) => `${done} of ${all} steps are done.`,
  opened: "Your live account is open: change to it under “Your accounts”",
  states: { done: "Done", open: "To do", waiting: "Under review" },
  steps: {
    terms: {
      title: "Accept the terms",
      text: "An owner reads them and accepts them for the account.",
      waits: "The terms wait to be accepted."
    },
    business_verified: {
      title: "Have your business verified",
      text: "Say who is behind the account.",
      waits: "The business is being looked at."
    },
    payout_bank: {
      title: "Add a bank account for payouts",
      text: "Say where your money goes, and verify it.",
      waits: "The bank account is verified, and becomes active by itself."
    },
    webhook_endpoint: {
      title: "Hear of payments",
      text: "Say where your server takes webhooks.",
      waits: "The endpoint is being looked at."
    },
    first_payment: {
      title: "Take a payment",
      text: "Send this from a terminal, with a secret key of this account.",
      waits: "The payment is under way."
    },
    live: {
      title: "Go live",
      text: "When all else is done, an owner asks for the live account. The sandbox stays for tests.",
      waits: "The operator looks at the request."
    }
  },
  requests: {
    title: "Requests to go live",
    none: "No account waits to go live.",
    waits: "asks to go live"
  }
}
