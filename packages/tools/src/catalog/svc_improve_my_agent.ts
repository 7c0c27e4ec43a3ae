/** What an agent's own code should be hardened in. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { filesWithin, may, text } from "../fields.ts"
import { FileLimit } from "../services/errors.ts"
import { Analyzer, Hardening } from "../services/snapshots.ts"
import { tool } from "../tool.ts"

const MIB = 1024 * 1024

export const svc_improve_my_agent = tool({
  name: "svc_improve_my_agent",
  also: ["improve_my_agent_with_axis"],
  title: "Improve my agent",
  description: "Plans how to harden an agent, from its source. Leaves a snapshot.",
  auth: "key",
  kind: "outside",
  prices: "free",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 60, bytes: 6 * MIB },
  payload: Schema.Struct({ project_name: may(text(200)), files: filesWithin({ files: 200, each: 5 * MIB, total: 5 * MIB }) }),
  result: Hardening,
  error: FileLimit,
  examples: [{ project_name: "buyer", files: [{ path: "agent.ts", content: "export const agent = 1\n" }] }],
  ready: backend(Analyzer),
  run: ({ files, project_name = "agent" }, call) => Effect.flatMap(backend(Analyzer), ({ harden }) => harden({ project_name, files }, call))
})
