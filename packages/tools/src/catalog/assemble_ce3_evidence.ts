/** Evidence from earlier purchases against a dispute of Visa's condition 10.4. */
import { assembleCe3, Ce3, Dispute, MOST_PRIORS, Transaction } from "@svc/compliance/ce3"
import { isCanonical } from "@svc/compliance/input"
import { Proof, proven } from "@svc/compliance/proof"
import { list } from "@svc/tool-kit/fields"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const marks = { device_id: "d3f1c0ffee-4e11-9b7a-0001", ip_address: "203.0.113.7", login_id: "ada" }

export const assemble_ce3_evidence = tool({
  name: "assemble_ce3_evidence",
  title: "CE 3.0 evidence",
  description: "Earlier purchases that answer a Visa 10.4 dispute (Compelling Evidence 3.0). Send the card's history.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 2, bytes: 1024 * 1024 },
  payload: Schema.Struct({
    dispute: Dispute,
    transaction_history: list(Transaction, MOST_PRIORS)
  }).check(isCanonical),
  result: Schema.Struct({ ...Ce3.fields, proof: Proof }),
  examples: [
    {
      dispute: {
        txn: {
          id: "txn_9",
          amount_minor: 4900,
          currency: "USD",
          created_at: "2026-09-01T10:00:00Z",
          disputed: true,
          description: "headphones",
          ...marks
        },
        reason_code: "10.4",
        disputed_at: "2026-09-20"
      },
      transaction_history: [
        { id: "txn_1", amount_minor: 2500, currency: "USD", created_at: "2026-01-10T10:00:00Z", description: "keyboard", ...marks },
        { id: "txn_2", amount_minor: 1900, currency: "USD", created_at: "2026-03-02T10:00:00Z", description: "mouse", ...marks }
      ]
    },
    {
      dispute: { txn: { id: "txn_9", amount_minor: 4900, currency: "USD", created_at: "2026-09-01" }, reason_code: "13.1" },
      transaction_history: []
    }
  ],
  run: (input) => Effect.succeed(proven(input, assembleCe3(input.dispute, input.transaction_history)))
})
