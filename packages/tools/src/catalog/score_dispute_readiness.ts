/** How well the evidence on file answers a dispute. */
import { isCanonical } from "@svc/compliance/input"
import { Proof, proven } from "@svc/compliance/proof"
import { assess, Readiness, ReadinessInput } from "@svc/compliance/readiness"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const score_dispute_readiness = tool({
  name: "score_dispute_readiness",
  title: "Dispute readiness",
  description: "Scores the evidence for a dispute's reason code: what is missing, what to do. Not a win prediction.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 4096 },
  payload: ReadinessInput.check(isCanonical),
  result: Schema.Struct({ ...Readiness.fields, proof: Proof }),
  examples: [
    { reason_code: "10.4", evidence: { matchingDataElements: 3, priorUndisputedTransactions: 4, hasAvsMatch: true, hasCvvMatch: true } },
    { reason_code: "13.1", evidence: { hasDeliveryProof: true, hasCustomerCommunication: true } },
    { reason_code: "4853", evidence: {} }
  ],
  run: (input) => Effect.succeed(proven(input, assess(input)))
})
