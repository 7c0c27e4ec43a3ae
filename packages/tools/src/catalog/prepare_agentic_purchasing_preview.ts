/** How ready a project is to be bought from by agents, for a look. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { filesWithin, list, may, SMALL, text } from "../fields.ts"
import { FileLimit } from "../services/errors.ts"
import { Analyzer, Readiness } from "../services/snapshots.ts"
import { tool } from "../tool.ts"

export const prepare_agentic_purchasing_preview = tool({
  name: "prepare_agentic_purchasing_preview",
  title: "Preview purchasing readiness",
  description: "Scores how ready code is for purchases by agents, with its top gaps. Keeps nothing.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 10, bytes: 2 * 1024 * 1024 },
  payload: Schema.Struct({
    project_name: may(text(200)),
    project_type: may(text(100)),
    frameworks: may(list(text(100), 50)),
    files: filesWithin(SMALL)
  }),
  result: Readiness,
  error: FileLimit,
  examples: [{ project_name: "shop", files: [{ path: "src/pay.ts", content: "export const pay = () => fetch(\"/v1/payment_intents\")\n" }] }],
  ready: backend(Analyzer),
  run: ({ project_name = "project", ...rest }) => Effect.flatMap(backend(Analyzer), ({ preview }) => preview({ project_name, ...rest }))
})
