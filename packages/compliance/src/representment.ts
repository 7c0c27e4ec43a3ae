/** Puts together what answers a dispute of the account's own: what the merchant has, what its history shows, and what is still missing. */
import { may, text } from "@svc/tool-kit/fields"
import type { OwnDispute } from "@svc/tool-kit/services/disputes"
import { Schema } from "effect"
import { assembleCe3, Ce3, type Transaction } from "./ce3.ts"
import type { Evidence as EvidenceOnFile } from "./readiness-table.ts"
import { assess, type Readiness } from "./readiness.ts"
import { advice, reasonOf } from "./reason-codes.ts"

const written = may(text(20_000))

/** What the merchant has, as text. */
export const EvidenceInputs = Schema.Struct({
  product_description: written,
  customer_communication: written,
  shipping_documentation: written,
  access_activity_log: written,
  refund_policy: written,
  cancellation_policy: written,
  signed_agreement: written,
  other: written
})
export type EvidenceInputs = typeof EvidenceInputs.Type

const fields = [
  "product_description",
  "customer_communication",
  "shipping_documentation",
  "access_activity_log",
  "refund_policy",
  "cancellation_policy",
  "signed_agreement",
  "other"
] as const

/** The states of a representment, in the order in which it goes through them. */
const states = ["needs_response", "evidence_assembling", "evidence_submitted"] as const
export const RepresentmentState = Schema.Literals(states)

export const Step = Schema.Struct({ from: RepresentmentState, to: RepresentmentState, at: Schema.String })
export type Step = typeof Step.Type

/** Every move so far, at one moment: assembling is one piece of work. */
export const steps = (submitted: boolean, at: string): ReadonlyArray<Step> => {
  const [first, second, third] = states
  return [{ from: first, to: second, at }, ...(submitted ? [{ from: second, to: third, at }] : [])]
}

export const EvidencePackage = Schema.Struct({
  reason_code: Schema.String,
  category: Schema.String,
  documents: Schema.Array(Schema.Struct({ field: Schema.Literals(fields), text: Schema.String })),
  compelling_evidence: Schema.NullOr(Ce3.fields.evidence_packet),
  missing: Schema.Array(Schema.String),
  /** What the case says in a paragraph; the lite mode leaves it out. */
  narrative: Schema.optionalKey(Schema.String)
})
export type EvidencePackage = typeof EvidencePackage.Type

export interface Case {
  readonly dispute: OwnDispute
  readonly disputed_txn?: Transaction
  readonly history: ReadonlyArray<Transaction>
  readonly inputs: EvidenceInputs
}

export interface Assembled {
  readonly evidence: EvidencePackage
  readonly ce3: Ce3 | null
  readonly readiness: Readiness
}

const onFile = (inputs: EvidenceInputs, ce3: Ce3 | null): EvidenceOnFile => ({
  ce3Eligible: ce3?.eligible ?? false,
  matchingDataElements: ce3?.matched_element_union.length ?? 0,
  priorUndisputedTransactions: Math.min(10, ce3?.qualifying_priors.length ?? 0),
  hasDeliveryProof: inputs.shipping_documentation !== undefined || inputs.access_activity_log !== undefined,
  hasSignedMandate: inputs.signed_agreement !== undefined,
  hasCustomerCommunication: inputs.customer_communication !== undefined
})

const narrativeOf = ({ dispute }: Case, documents: EvidencePackage["documents"], ce3: Ce3 | null): string => {
  const shown = documents.map(({ field }) => field.replaceAll("_", " "))
  const known = ce3?.eligible === true
    ? ` The cardholder is known here: ${ce3.qualifying_priors.length} earlier purchases that nobody disputed share ${
      ce3.matched_element_union.map((one) => one.replaceAll("_", " ")).join(", ")
    } with this one.`
    : ""
  return `Dispute ${dispute.id} under reason ${dispute.reason} concerns payment ${dispute.payment_intent_id}, ${dispute.amount} ${dispute.currency} in minor units.${known}` +
    (shown.length === 0 ? "" : ` We enclose: ${shown.join(", ")}.`)
}

/** Undefined when there is nothing to send. `lite` leaves the narrative out. */
export const assembleRepresentment = (of: Case, lite: boolean): Assembled | undefined => {
  const { dispute, disputed_txn, history, inputs } = of
  const documents = fields.flatMap((field) => {
    const content = inputs[field]
    return content === undefined ? [] : [{ field, text: content }]
  })
  const ce3 = disputed_txn === undefined
    ? null
    : assembleCe3({ txn: disputed_txn, reason_code: dispute.reason, disputed_at: dispute.created_at }, history)
  if (documents.length === 0 && ce3?.eligible !== true) return undefined
  const { category } = reasonOf(dispute.reason)
  const readiness = assess({ reason_code: dispute.reason, evidence: onFile(inputs, ce3) })
  return {
    ce3,
    readiness,
    evidence: {
      reason_code: dispute.reason,
      category,
      documents,
      compelling_evidence: ce3?.eligible === true ? ce3.evidence_packet : null,
      missing: [...readiness.top_missing_evidence.filter(({ findable }) => findable).map(({ hint }) => hint), advice[category]],
      ...(lite ? {} : { narrative: narrativeOf(of, documents, ce3) })
    }
  }
}

export const DISCLAIMER =
  "Put together from what was sent, which nobody has checked. Not legal advice and no promise: the issuer and the network decide. Evidence can be submitted once."
