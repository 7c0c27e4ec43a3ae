/** Questions that merchants ask, each in two ways, and what a true answer has in it. `{…}` is a fact of the account that the test makes. */
export interface AskedOf {
  readonly topic: string | null
  /** The first as one would write it, the second in other words. */
  readonly ways: readonly [string, string]
  readonly facts: ReadonlyArray<string>
}

export const questions: ReadonlyArray<AskedOf> = [
  {
    topic: "declined_payment",
    ways: ["Why was my last payment declined?", "what went wrong with the card that failed"],
    facts: ["{failed}", "insufficient_funds", "$21.00"]
  },
  {
    topic: "declined_payment",
    ways: ["Why did {failed} fail?", "the customer says {failed} did not go through, what is the reason?"],
    facts: ["{failed}", "not enough money"]
  },
  { topic: "declined_payment", ways: ["What happened to payment {captured}?", "did {captured} fail?"], facts: ["{captured}", "captured"] },
  {
    topic: "payment_acts",
    ways: ["refund {captured}", "How do I refund {captured}?"],
    facts: [
      "{captured}",
      "is captured",
      "$43.00 of it can be refunded",
      "$7.00 was refunded",
      "/desk/payments/{captured}/do/refund",
      "POST /v1/"
    ]
  },
  {
    topic: "payment_acts",
    ways: ["cancel {captured}", "please void {captured} for me, it was a mistake"],
    facts: ["cannot be cancelled", "$43.00"]
  },
  {
    topic: "payment_acts",
    ways: ["capture {authorized}", "how can I capture the payment {authorized} now?"],
    facts: ["$18.00 is held until", "UTC", "/desk/payments/{authorized}/do/capture"]
  },
  {
    topic: "payment_acts",
    ways: ["How do I cancel {authorized}?", "can {authorized} be refunded?"],
    facts: ["{authorized}", "/desk/payments/{authorized}/do/void"]
  },
  { topic: "payment_acts", ways: ["refund {failed}", "capture {failed}"], facts: ["{failed}", "is failed"] },
  {
    topic: "available_money",
    ways: ["When is my money available?", "how soon can I withdraw my funds?"],
    facts: ["{settlement}", "is available on"]
  },
  { topic: "available_money", ways: ["What is my balance?", "how much money do I have right now"], facts: ["{pending}", "pending"] },
  {
    topic: "go_live",
    ways: ["What is missing to go live?", "which steps are still left before we can launch?"],
    facts: ["verified", "bank account"]
  },
  { topic: "go_live", ways: ["How far is my onboarding?", "what is blocking the account from production?"], facts: ["missing"] },
  {
    topic: "payout_bank",
    ways: ["How do I add a bank account?", "where do I connect my bank account"],
    facts: ["/desk/transfer_instruments"]
  },
  { topic: "business_verified", ways: ["How do I verify my business?", "my company must be verified"], facts: ["/desk/legal_entities"] },
  {
    topic: "webhook_endpoint",
    ways: ["register a webhook endpoint", "how do I set up webhooks?"],
    facts: ["/desk/webhook_endpoint", "is done"]
  },
  {
    topic: "declined_payment",
    ways: ["Why was my customer declined?", "why was my payment of 21.00 USD declined?"],
    facts: ["{failed}", "insufficient_funds"]
  },
  {
    topic: "declined_payment",
    ways: ["why was my payment of 47.11 EUR declined?", "my payment of €47.11 was declined"],
    facts: ["No payment of €47.11 failed"]
  },
  { topic: "webhooks", ways: ["Which webhooks fail and why?", "are events reaching my endpoint?"], facts: ["{delivery}"] },
  { topic: "webhooks", ways: ["Is my webhook endpoint failing?", "some notifications were not delivered, why?"], facts: ["{delivery}"] },
  { topic: "fees", ways: ["What did fees cost this month?", "how much commission did we pay this month?"], facts: ["{fees}"] },
  { topic: "fees", ways: ["What did fees cost last month?", "fees we paid last month"], facts: ["last month"] },
  { topic: "volume", ways: ["How much did we sell this month?", "what is our revenue this month?"], facts: ["{volume}"] },
  { topic: "volume", ways: ["How much was refunded this month?", "refunds this month in total"], facts: ["{refunds}"] },
  { topic: "payouts", ways: ["Where is my payout?", "did the last transfer reach my bank?"], facts: ["no payout"] },
  { topic: "payouts", ways: ["When does my payout arrive?", "when will the payout arrive at my bank"], facts: ["no payout"] },
  { topic: "disputes", ways: ["Do I have open disputes?", "any chargebacks I must answer?"], facts: ["{dispute}", "due by"] },
  { topic: "disputes", ways: ["When is evidence due for {dispute}?", "deadline of {dispute}"], facts: ["{dispute}", "due by"] },
  {
    topic: "subscriptions",
    ways: ["Which subscriptions are past due?", "are there subscribers with failed renewals?"],
    facts: ["No subscription is past due"]
  },
  { topic: "invoices", ways: ["Which invoices are unpaid?", "who still owes us on a bill?"], facts: ["No invoice is open"] },
  { topic: "approvals", ways: ["What is waiting for approval?", "do any payments need my review?"], facts: ["Nothing waits"] },
  { topic: "books", ways: ["Is the ledger intact?", "do our books agree?"], facts: ["The ledger holds", "No mismatch"] },
  { topic: "agent_keys", ways: ["Which agent keys are active?", "how many agents have a key?"], facts: ["{agent}"] },
  { topic: "api_keys", ways: ["Which API keys are active?", "list all secret api keys"], facts: ["sk_test_"] },
  {
    topic: "error_codes",
    ways: ["What does the error idempotency_key_reused mean?", "I get idempotency_key_reused, explain that code"],
    facts: ["idempotency_key_reused", "fresh random key"]
  },
  { topic: "error_codes", ways: ["What does decline code do_not_honor mean?", "explain do_not_honor"], facts: ["without saying why"] },
  { topic: "states", ways: ["Which states has a dispute?", "explain the states of a dispute"], facts: ["under_review", "won"] },
  {
    topic: "states",
    ways: ["What can follow the state authorized of a payment intent?", "explain state authorized of a payment intent"],
    facts: ["captured"]
  },
  {
    topic: "error_codes",
    ways: ["What does the error version_conflict mean?", "my PATCH answers version_conflict, explain the code"],
    facts: ["version_conflict"]
  },
  {
    topic: "error_codes",
    ways: ["What does error code onboarding_incomplete mean?", "explain error onboarding_incomplete"],
    facts: ["work run"]
  },
  { topic: "states", ways: ["Which states has a bank link?", "explain the states of a bank link"], facts: ["linked", "expired"] },
  { topic: null, ways: ["How do I verify the signature of a webhook?", "how is a webhook signed"], facts: [".md"] },
  { topic: null, ways: ["How is proration computed?", "proration when a plan changes"], facts: ["proration.md"] },
  { topic: null, ways: ["What is the weather in Paris?", "who won the football game"], facts: ["I do not know"] },
  { topic: null, ways: ["Write me a poem about cats", "recommend a restaurant nearby"], facts: ["I do not know"] }
]
