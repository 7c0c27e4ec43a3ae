/** How ready a project is to be bought from by agents, for a look. */
import { backend } from "@svc/tool-kit/backend"
import { filesWithin, list, may, SMALL, text } from "@svc/tool-kit/fields"
import { FileLimit, InvalidRequest, SnapshotLimit, Unreadable } from "@svc/tool-kit/services/errors"
import { Readiness, ReadinessScorer } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const prepare_agentic_purchasing_preview = tool({
  name: "prepare_agentic_purchasing_preview",
  title: "Purchasing readiness",
  description: "Scores how ready code is for agentic purchases, with its top gaps. Keeps nothing.",
  auth: "none",
  kind: "outside",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 60, bytes: 2 * 1024 * 1024 },
  payload: Schema.Struct({
    project_name: may(text(200)),
    project_type: may(text(100)),
    frameworks: may(list(text(100), 50)),
    files: filesWithin(SMALL)
  }),
  result: Readiness,
  error: Schema.Union([FileLimit, SnapshotLimit, InvalidRequest, Unreadable]),
  examples: [{
    project_name: "shop",
    files: [{ path: "src/pay.ts", content: "export const pay = () => fetch(\"/v1/payment_intents\")\n" }]
  }],
  services: [ReadinessScorer],
  ready: backend(ReadinessScorer),
  run: ({ project_name = "project", ...rest }, call) =>
    Effect.flatMap(backend(ReadinessScorer), ({ preview }) => preview({ project_name, ...rest }, call))
})
