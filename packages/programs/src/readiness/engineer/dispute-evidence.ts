/** What the code keeps or asks for that answers a dispute: the evidence that `score_dispute_readiness` weighs. */
import type { SignName } from "../../facts/code/payment-signs.ts"
import type { AnyFact } from "../../facts/model.ts"
import type { Project } from "../../facts/project.ts"
import { inSources } from "../places.ts"

export interface DisputeEvidence {
  readonly hasDeliveryProof: boolean
  readonly hasAvsMatch: boolean
  readonly hasCvvMatch: boolean
  readonly has3dsAuthenticated: boolean
  readonly hasSignedMandate: boolean
  readonly hasCustomerCommunication: boolean
  /** Of device, IP address, email, shipping address and login. */
  readonly matchingDataElements: number
}

const MARKS = [/device/iu, /(?:^|[._])(?:ip|ip_?address)$/iu, /email/iu, /shipping/iu, /login/iu]

/** Purchases of the past are no part of code: of them nothing is said. */
export const disputeEvidence = (project: Project): { readonly evidence: DisputeEvidence; readonly facts: ReadonlyArray<AnyFact> } => {
  const signs = inSources(project, project.facts("payment-sign"))
  const of = (...names: ReadonlyArray<SignName>) => signs.filter(({ subject }) => names.some((name) => name === subject))
  const kinds = {
    hasDeliveryProof: of("delivery proof"),
    hasAvsMatch: of("address check"),
    hasCvvMatch: of("security code check"),
    has3dsAuthenticated: of("strong authentication"),
    hasSignedMandate: of("mandate").length === 0 ? [] : of("mandate check", "mandate proof"),
    hasCustomerCommunication: of("customer messages")
  }
  const marks = of("device or address of the buyer")
  return {
    evidence: {
      hasDeliveryProof: kinds.hasDeliveryProof.length > 0,
      hasAvsMatch: kinds.hasAvsMatch.length > 0,
      hasCvvMatch: kinds.hasCvvMatch.length > 0,
      has3dsAuthenticated: kinds.has3dsAuthenticated.length > 0,
      hasSignedMandate: kinds.hasSignedMandate.length > 0,
      hasCustomerCommunication: kinds.hasCustomerCommunication.length > 0,
      matchingDataElements: MARKS.filter((mark) => marks.some(({ value }) => mark.test(value.text))).length
    },
    facts: [...Object.values(kinds).flat(), ...marks]
  }
}
