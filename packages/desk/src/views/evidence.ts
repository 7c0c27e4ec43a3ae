/** What a dispute is answered with. */

/** The evidence that is text, in the order in which a form asks for it. */
export const evidenceTexts = [
  "product_description",
  "customer_communication",
  "shipping_documentation",
  "access_activity_log",
  "refund_policy",
  "cancellation_policy",
  "signed_agreement",
  "compelling_evidence",
  "other"
] as const
export type EvidenceText = (typeof evidenceTexts)[number]
