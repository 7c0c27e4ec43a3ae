/** What the page of a payment says. */
import type { PaymentTexts } from "../shapes/payments.ts"

export const payment: PaymentTexts = {
  title: "Payment",
  summary: "Summary",
  captured: "Captured",
  refunded: "Refunded",
  disputed: "Disputed",
  fee: "Fee",
  held: "Held",
  customer: "Customer",
  method: "Payment method",
  rail: "Rail",
  reference: "Provider's reference",
  conversion: "Exchanged into",
  reason: "Reason",
  declined: "The payment was declined",
  declines: {
    generic_decline: {
      why: "The bank declined and gave no reason.",
      next: "Ask the customer to call their bank, or to pay in another way."
    },
    insufficient_funds: {
      why: "There is not enough money on the customer's account, or its limit is reached.",
      next: "Ask for another card, or try again after a few days."
    },
    lost_card: { why: "The card was reported lost.", next: "Do not try this card again. Ask for another one." },
    stolen_card: { why: "The card was reported stolen.", next: "Do not try this card again. Look at the order before you ship anything." },
    expired_card: { why: "The card has expired.", next: "Ask the customer for their new card." },
    incorrect_cvc: { why: "The security code is wrong.", next: "Ask the customer to type it again." },
    processing_error: { why: "The provider could not process the payment.", next: "Try again in some minutes: nothing was taken." },
    do_not_honor: { why: "The bank does not honor the card and gave no reason.", next: "Ask the customer to call their bank." },
    card_velocity_exceeded: {
      why: "The card was used too often, or for too much, in a short time.",
      next: "Wait a day, or ask for another card."
    },
    fraudulent: {
      why: "The bank or the provider takes it for fraud.",
      next: "Do not try again. Look at the order and the customer first."
    },
    authentication_required: {
      why: "The bank wants the customer to confirm the payment.",
      next: "Send the customer through a checkout, where the bank can ask them."
    },
    currency_not_supported: { why: "The card does not take this currency.", next: "Charge in another currency, or ask for another card." },
    card_not_supported: { why: "The card cannot be used for this kind of payment.", next: "Ask for another card." }
  },
  standings: {
    blocked: {
      why: "The provider's rule against fraud stopped it. Nothing was taken.",
      next: "Look at the order, then approve or reject the payment."
    },
    requires_action: {
      why: "The customer has to confirm the payment with their bank.",
      next: "Wait, or send the link to the customer again."
    },
    async_rail: { why: "The rail confirms later, as blockchains and bank transfers do.", next: "Wait. It changes by itself." },
    unknown_outcome: {
      why: "The provider did not say what became of the last call.",
      next: "Wait: the provider is asked again by itself. Do not charge the customer twice."
    },
    requires_approval: { why: "It is above a limit, and waits for a person.", next: "Approve or reject it." },
    failed: { why: "The payment failed. Nothing was taken.", next: "Read the attempts below; a new payment may be made." }
  },
  next: "What to do next",
  timeline: "Timeline",
  created: "Created",
  attempted: (rail, outcome) => `Tried with ${rail}: ${outcome}`,
  refund: (status) => `Refund: ${status}`,
  cancelled: "Cancelled: nothing is held any more",
  waits: "A refund waits for a second person",
  waitsText: "was asked for:",
  disputeOpened: "Dispute opened",
  disputeClosed: (status) => `Dispute: ${status}`,
  settlementQueued: "Settlement queued",
  settlementDone: "Settlement completed: the money is available",
  attempts: "Attempts",
  noAttempts: "No rail was tried yet.",
  amount: "Amount",
  outcome: "Outcome",
  decline: "Decline code",
  because: "Why",
  score: "Score",
  at: "At",
  routing: "Routing",
  routingNote: "Rails are tried from the highest score down; a rail with the score 0 is left out.",
  result: "Result",
  chosen: "chosen",
  leftOut: "left out",
  eligible: "eligible",
  rule: "Rule",
  matched: "Applies",
  routingReasons: {
    usual: "the usual order",
    allHold: "all conditions hold",
    notInstalled: "not installed",
    doesNotTake: (what) => `does not take ${what}`,
    byRule: (name) => `by the rule ${name}`,
    differs: (what, is, asked) => `${what} is ${is}, not ${asked}`,
    below: (limit) => `the amount is below ${limit}`,
    above: (limit) => `the amount is above ${limit}`,
    isNot: (name, asked) => `${name} is not ${asked}`,
    notGiven: "none",
    currency: "currency",
    country: "country",
    method: "payment method"
  },
  entries: "Ledger entries",
  noEntries: "No entries yet.",
  event: "Event",
  available: "Available",
  pending: "Pending",
  reserved: "Reserved",
  links: "Belongs to it",
  dispute: "Dispute",
  settlement: "Settlement",
  metadata: "Metadata"
}
