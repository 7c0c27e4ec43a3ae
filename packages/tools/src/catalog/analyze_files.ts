/** Artifacts of files that are sent along. */
import { backend } from "@svc/tool-kit/backend"
import { filesWithin, list, may, text } from "@svc/tool-kit/fields"
import { FileLimit, InvalidRequest, SnapshotLimit, Unreadable } from "@svc/tool-kit/services/errors"
import { Analysis, Analyzer, Snapshots } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const MIB = 1024 * 1024

export const analyze_files = tool({
  name: "analyze_files",
  title: "Analyze files",
  description: "Artifacts of files. lite makes the free ones; engineer adds living-architecture.md.",
  auth: "key",
  kind: "outside",
  prices: { standard: 300, lite: 0, engineer: 2500 },
  serviceWork: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 180, bytes: 6 * MIB },
  payload: Schema.Struct({
    project_name: may(text(200)),
    project_type: may(text(100)),
    frameworks: may(list(text(100), 50)),
    goals: may(list(text(500), 50)),
    // What one message may hold; what the caller's plan takes, the analyzer knows. More comes by analyze_repo.
    files: filesWithin({ files: 2000, each: 6 * MIB, total: 6 * MIB })
  }),
  result: Analysis,
  error: Schema.Union([FileLimit, SnapshotLimit, InvalidRequest, Unreadable]),
  examples: [{ project_name: "shop", files: [{ path: "src/index.ts", content: "export const shop = 1\n" }] }],
  services: [Analyzer, Snapshots],
  ready: backend(Analyzer),
  undo: ({ snapshot_id }, call) => Effect.flatMap(backend(Snapshots), ({ remove }) => remove(snapshot_id, call)),
  run: ({ project_name = "project", ...rest }, call) =>
    Effect.flatMap(backend(Analyzer), ({ files }) => files({ project_name, ...rest }, call))
})
