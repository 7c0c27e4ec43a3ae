/**
 * What evidence is worth against which kind of dispute. The weights are this service's own reading of what networks ask for (Visa dispute
 * conditions, Mastercard message reason codes), not learned from outcomes; whoever changes one changes {@link MODEL_VERSION}.
 */
import { may, whole } from "@svc/tool-kit/fields"
import { Schema } from "effect"

export const MODEL_VERSION = "dispute-readiness-1"

/** Evidence on file. What is left out is not there. */
export const Evidence = Schema.Struct({
  /** The history meets Compelling Evidence 3.0. */
  ce3Eligible: may(Schema.Boolean),
  /** How many of device, IP address, email, shipping address and login match earlier purchases. */
  matchingDataElements: may(whole(0, 5)),
  priorUndisputedTransactions: may(whole(0, 10)),
  hasDeliveryProof: may(Schema.Boolean),
  hasAvsMatch: may(Schema.Boolean),
  hasCvvMatch: may(Schema.Boolean),
  has3dsAuthenticated: may(Schema.Boolean),
  hasSignedMandate: may(Schema.Boolean),
  hasCustomerCommunication: may(Schema.Boolean)
})
export type Evidence = typeof Evidence.Type
export type EvidenceKey = keyof Evidence

const yes = 1

/** The most there can be of each, and whether it can still be found after the dispute: what happened at checkout is over. */
export const pieces = {
  ce3Eligible: {
    most: yes,
    findable: true,
    hint: "two undisputed purchases of 120 to 365 days before, with the same device or IP address and one more mark"
  },
  matchingDataElements: { most: 5, findable: true, hint: "device, IP address, email, shipping address and login of earlier purchases" },
  priorUndisputedTransactions: { most: 10, findable: true, hint: "earlier purchases of the same card that nobody disputed" },
  hasDeliveryProof: {
    most: yes,
    findable: true,
    hint: "the carrier's proof of delivery to the address given, or a log of access or download"
  },
  hasAvsMatch: { most: yes, findable: false, hint: "the address check of the authorization" },
  hasCvvMatch: { most: yes, findable: false, hint: "the security code check of the authorization" },
  has3dsAuthenticated: { most: yes, findable: false, hint: "3-D Secure, which puts the liability for fraud on the issuer" },
  hasSignedMandate: {
    most: yes,
    findable: true,
    hint: "a mandate or agreement that the customer signed, with the terms as they were shown"
  },
  hasCustomerCommunication: { most: yes, findable: true, hint: "messages in which the customer speaks of the purchase" }
} as const satisfies Record<EvidenceKey, { readonly most: number; readonly findable: boolean; readonly hint: string }>

export const families = ["10.1", "10.2", "10.3", "10.4", "12.x", "13.x", "default"] as const
export type Family = typeof families[number]

/** Weights per unit of evidence, in log-odds. None is negative: more evidence never makes a case worse. */
export interface Weights {
  readonly intercept: number
  readonly of: Readonly<Record<EvidenceKey, number>>
}

const weights = (intercept: number, of: Partial<Record<EvidenceKey, number>>): Weights => ({
  intercept,
  of: {
    ce3Eligible: 0,
    matchingDataElements: 0,
    priorUndisputedTransactions: 0,
    hasDeliveryProof: 0,
    hasAvsMatch: 0,
    hasCvvMatch: 0,
    has3dsAuthenticated: 0,
    hasSignedMandate: 0,
    hasCustomerCommunication: 0,
    ...of
  }
})

export const models: Readonly<Record<Family, Weights>> = {
  // The card was present and its chip not read: hardly any evidence answers that.
  "10.1": weights(-2.6, { hasSignedMandate: 0.9, hasCustomerCommunication: 0.7, priorUndisputedTransactions: 0.06, hasDeliveryProof: 0.4 }),
  "10.2": weights(-2.6, { hasSignedMandate: 0.9, hasCustomerCommunication: 0.7, priorUndisputedTransactions: 0.06, hasDeliveryProof: 0.4 }),
  "10.3": weights(-2.4, {
    hasSignedMandate: 1.1,
    hasCustomerCommunication: 0.8,
    priorUndisputedTransactions: 0.06,
    hasCvvMatch: 0.3,
    hasAvsMatch: 0.3
  }),
  "10.4": weights(-2.5, {
    ce3Eligible: 2.8,
    has3dsAuthenticated: 2.6,
    hasDeliveryProof: 0.7,
    hasCustomerCommunication: 0.6,
    hasAvsMatch: 0.5,
    hasCvvMatch: 0.4,
    hasSignedMandate: 0.6,
    matchingDataElements: 0.25,
    priorUndisputedTransactions: 0.08
  }),
  // Duplicates, wrong amounts, late presentment: two separate orders, and what the customer said of them.
  "12.x": weights(-1.8, { hasDeliveryProof: 1.4, hasCustomerCommunication: 1.2, hasSignedMandate: 1.3, priorUndisputedTransactions: 0.05 }),
  // Not received, not as described, canceled, no credit.
  "13.x": weights(-1.9, {
    hasDeliveryProof: 2.2,
    hasCustomerCommunication: 1.3,
    hasSignedMandate: 1.2,
    matchingDataElements: 0.08,
    priorUndisputedTransactions: 0.04
  }),
  default: weights(-2, {
    ce3Eligible: 0.4,
    has3dsAuthenticated: 0.9,
    hasDeliveryProof: 1.2,
    hasCustomerCommunication: 1,
    hasAvsMatch: 0.3,
    hasCvvMatch: 0.3,
    hasSignedMandate: 0.9,
    matchingDataElements: 0.1,
    priorUndisputedTransactions: 0.05
  })
}
