/** How ready a project is to be bought from by agents, with what makes it ready. */
import { backend } from "@svc/tool-kit/backend"
import { filesWithin, list, may, text, whole } from "@svc/tool-kit/fields"
import { FileLimit, InvalidRequest, SnapshotLimit, Unreadable } from "@svc/tool-kit/services/errors"
import { focusAreas, Prepared, ReadinessScorer, Snapshots } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const MIB = 1024 * 1024

export const prepare_agentic_purchasing = tool({
  name: "prepare_agentic_purchasing",
  title: "Prepare agentic purchasing",
  description:
    "Scores readiness and makes artifacts that close its gaps. lite: score and gaps. engineer adds endpoint, sandbox test, evidence pack.",
  auth: "key",
  kind: "outside",
  prices: { standard: 300, lite: 100, engineer: 25_000 },
  serviceWork: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 180, bytes: 8 * MIB },
  payload: Schema.Struct({
    project_name: may(text(200)),
    project_type: may(text(100)),
    frameworks: may(list(text(100), 50)),
    files: filesWithin({ files: 2000, each: 7 * MIB, total: 7 * MIB }),
    focus: may(text(200)),
    agent_type: may(text(100)),
    focus_areas: may(list(Schema.Literals(focusAreas), focusAreas.length)),
    budget_per_run_cents: may(whole(0, 100_000_000)),
    spending_window: may(Schema.Literals(["per_call", "hourly", "daily", "monthly"])),
    referral_token: may(text(100))
  }),
  result: Prepared,
  error: Schema.Union([FileLimit, SnapshotLimit, InvalidRequest, Unreadable]),
  examples: [{ project_name: "shop", focus_areas: ["sca", "dispute"], files: [{ path: "src/pay.ts", content: "export const pay = 1\n" }] }],
  services: [ReadinessScorer, Snapshots],
  ready: backend(ReadinessScorer),
  undo: ({ snapshot }, call) =>
    snapshot === undefined ? Effect.void : Effect.flatMap(backend(Snapshots), ({ remove }) => remove(snapshot.snapshot_id, call)),
  run: ({ project_name = "project", ...rest }, call) =>
    Effect.flatMap(backend(ReadinessScorer), ({ prepare }) => prepare({ project_name, ...rest }, call))
})
