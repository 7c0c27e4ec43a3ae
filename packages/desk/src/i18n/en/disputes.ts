/** What the page of a dispute says. */
import type { DisputeTexts } from "../shapes/disputes.ts"

export const dispute: DisputeTexts = {
  title: "Dispute",
  dueBy: "Answer by",
  dueNote: "The answer can be sent once. Without one, the dispute is lost when the time is over.",
  closed: "There is nothing more to answer.",
  decided: "The dispute is closed",
  submitted: "The evidence was sent. The network decides.",
  reason: "Reason",
  network: "Network",
  claims: {
    fraudulent: "The cardholder says that they did not make the payment.",
    general: "The bank says that the payment was not authorized as it should have been.",
    duplicate: "The customer says that they were charged twice, or had paid in another way.",
    product_not_received: "The customer says that they did not get what they paid for.",
    product_unacceptable: "The customer says that what they got is not what was promised.",
    subscription_canceled: "The customer says that they had cancelled before they were charged.",
    credit_not_processed: "The customer says that a refund was promised and did not come.",
    unknown: "The network's code is not known here. Read it in the network's own list."
  },
  advice: {
    fraudulent: "Show that the cardholder took part: 3-D Secure, earlier purchases with the same device or IP address, " +
      "checks of address and security code, use after the purchase.",
    general: "Show the authorization and the amount as the cardholder agreed to it.",
    duplicate: "Show two orders, each with what was delivered and agreed, or the refund of the second.",
    product_not_received: "Show delivery to the address given, or a log of access or download, before the dispute.",
    product_unacceptable: "Show the description at the time of purchase, what was delivered, and that no return was offered or made.",
    subscription_canceled:
      "Show the terms of cancellation that were accepted, that none was received, use after it, and the notice before the renewal.",
    credit_not_processed: "Show the refund, or the refund policy that was accepted at checkout.",
    unknown: "Read the network's reason, and answer what it claims."
  },
  helps: "What helps",
  money: "Money",
  heldNow: "Held while it is open",
  heldNothing: "Nothing is held any more",
  fee: "Fee of the dispute",
  payment: "Payment",
  previous: "Dispute before it",
  evidence: "Evidence",
  given: "What was given so far",
  none: "No evidence yet.",
  fields: {
    product_description: "What was sold",
    customer_communication: "What the customer wrote, and what was answered",
    shipping_documentation: "How and when it was delivered",
    access_activity_log: "When and from where it was used",
    refund_policy: "Rules for refunds that the customer saw",
    cancellation_policy: "Rules for cancelling that the customer saw",
    signed_agreement: "What the customer agreed to",
    compelling_evidence: "Earlier payments of this customer that nobody disputed",
    other: "Anything else"
  },
  files: "Files",
  addFiles: "Add files",
  filesNote: "PDF, PNG or JPEG, at most 4 MiB each.",
  tooLarge: "The files are too large together. Add them one after another: at most 4 MiB each.",
  save: "Save evidence",
  submit: "Save and submit to the network",
  submitNote: "Submitting cannot be taken back.",
  accept: "Accept the dispute",
  acceptNote: "The customer keeps the money, and the fee is not given back. This cannot be taken back.",
  acceptSure: "I want the customer to keep the money",
  refused: "Nothing was sent",
  timeline: "Timeline",
  entries: "Ledger entries",
  download: "Save"
}
