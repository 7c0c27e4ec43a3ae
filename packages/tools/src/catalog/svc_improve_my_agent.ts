/** What an agent's own code should be hardened in. */
import { backend } from "@svc/tool-kit/backend"
import { filesWithin, may, text } from "@svc/tool-kit/fields"
import { FileLimit, InvalidRequest, SnapshotLimit, Unreadable } from "@svc/tool-kit/services/errors"
import { AgentHardener, Hardening } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

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
  error: Schema.Union([FileLimit, SnapshotLimit, InvalidRequest, Unreadable]),
  examples: [{ project_name: "buyer", files: [{ path: "agent.ts", content: "export const agent = 1\n" }] }],
  services: [AgentHardener],
  ready: backend(AgentHardener),
  run: ({ files, project_name = "agent" }, call) =>
    Effect.flatMap(backend(AgentHardener), ({ harden }) => harden({ project_name, files }, call))
})
