/**
 * The card network of sandbox accounts: whether the customer of a payment disputes it, and how the network decides. It keeps nothing:
 * each answer is a function of the payment and the evidence.
 *
 * A payment with the token `tok_dispute`, or whose metadata has `sim.dispute` with a reason code, is disputed a day after its settlement.
 * Five days after evidence was submitted the network decides for the merchant. Evidence that says `winning_evidence` or `losing_evidence`
 * is decided at once.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import { DateTime } from "effect"
import type { PaymentIntent } from "../../payment-intents/model.ts"
import { referenceOf } from "../../rails/simulator.ts"
import type { Evidence } from "../model.ts"
import type { DisputeReport, DisputeVerdict } from "../rules.ts"

/** Fraud without the card: what most disputes of online payments are about. */
export const FRAUD = "10.4"

const REVIEW_DAYS = 5

/** The reason code of the dispute that the payment will have; undefined for one that nobody disputes. */
export const reasonFor = (token: string, { metadata }: Pick<PaymentIntent, "metadata">): string | undefined =>
  metadata["sim.dispute"] ?? (token === "tok_dispute" ? FRAUD : undefined)

/** When the network reports it. */
export const reportedAt = ({ updated_at }: PaymentIntent, { settings }: AccountFacts): DateTime.Utc =>
  DateTime.add(updated_at, { days: settings.settlement_delay_days + 1 })

export const reportOf = (intent: PaymentIntent, reason: string): DisputeReport => ({
  amount: undefined,
  reason,
  network_reference: referenceOf(`dispute ${intent.id}`)
})

const says = (evidence: Evidence, word: string): boolean => JSON.stringify(evidence).includes(word)

export const decidedAt = (submitted: DateTime.Utc, evidence: Evidence): DateTime.Utc =>
  says(evidence, "winning_evidence") || says(evidence, "losing_evidence") ? submitted : DateTime.add(submitted, { days: REVIEW_DAYS })

export const simulatedVerdict = (evidence: Evidence): DisputeVerdict => says(evidence, "losing_evidence") ? "lost" : "won"
