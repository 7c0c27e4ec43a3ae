/** How ready source code is to sell to agents, by eight checks. */
import { Grade, grade } from "@svc/compliance/grade"
import { isCanonical } from "@svc/compliance/input"
import { Proof, proven } from "@svc/compliance/proof"
import { filesWithin, SMALL } from "@svc/tool-kit/fields"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const grade_compliance = tool({
  name: "grade_compliance",
  title: "Grade compliance",
  description: "Grades source files A to D: SCA, AP2, tokenization, disputes, idempotency, CE 3.0, refunds, budgets. Keeps nothing.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  // A file may double as JSON, where every line break is two characters.
  limits: { seconds: 5, bytes: 2 * 1024 * 1024 },
  payload: Schema.Struct({ files: filesWithin(SMALL) }).check(isCanonical),
  result: Schema.Struct({ ...Grade.fields, proof: Proof }),
  examples: [
    {
      files: [
        {
          path: "src/pay.ts",
          content:
            "await charge({ payment_method_id }, { idempotencyKey })\nif (intent.status === \"requires_action\") await threeDSecure(intent)"
        },
        { path: "db/schema.sql", content: "create table cards (id text, card_number varchar(19))" }
      ]
    }
  ],
  run: (input) => Effect.succeed(proven(input, grade(input.files)))
})
