/** Which exemption from strong customer authentication to ask for. */
import { isCanonical } from "@svc/compliance/input"
import { Proof, proven } from "@svc/compliance/proof"
import { CAVEAT, decide, RULESET, ScaDecision, ScaInput } from "@svc/compliance/sca"
import { matrix, Row } from "@svc/compliance/sca-matrix"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const sca_exemption_decision = tool({
  name: "sca_exemption_decision",
  title: "SCA exemption",
  description: "Chooses the PSD2 exemption (RTS 2018/389) for a payment, with its legal basis. Decision support only.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 1, bytes: 4096 },
  payload: ScaInput.check(isCanonical),
  result: Schema.Struct({
    ...ScaDecision.fields,
    // The same once more in one place, for callers that pass the decision on.
    decision: ScaDecision,
    matrix: Schema.Array(Row),
    ruleset: Schema.Literal(RULESET),
    caveat: Schema.String,
    proof: Proof
  }),
  examples: [
    { amount_eur: 24.9, cumulative_eur_since_sca: 60 },
    { amount_eur: 180, tra_acquirer_fraud_bps: 5, transaction_type: "card" },
    { amount_eur: 49, is_recurring_fixed: true, has_prior_sca: true },
    { amount_eur: 2500 }
  ],
  run: (input) => {
    const decision = decide(input)
    return Effect.succeed(proven(input, { ...decision, decision, matrix, ruleset: RULESET, caveat: CAVEAT } as const))
  }
})
