/** Artifacts of a repository on GitHub. */
import { backend } from "@svc/tool-kit/backend"
import { WebUrl } from "@svc/tool-kit/fields"
import { FetchFailed, FileLimit, InvalidRequest, InvalidUrl, SnapshotLimit, Unreadable } from "@svc/tool-kit/services/errors"
import { Analysis, Analyzer, Snapshots } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const analyze_repo = tool({
  name: "analyze_repo",
  title: "Analyze a repository",
  description: "Artifacts of a GitHub repository. lite makes the free ones; engineer adds living-architecture.md.",
  auth: "key",
  kind: "outside",
  prices: { standard: 300, lite: 0, engineer: 2500 },
  serviceWork: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  limits: { seconds: 180, bytes: 4096 },
  payload: Schema.Struct({ github_url: WebUrl }),
  result: Analysis,
  error: Schema.Union([InvalidUrl, FetchFailed, FileLimit, SnapshotLimit, InvalidRequest, Unreadable]),
  examples: [{ github_url: "https://github.com/effect-ts/effect" }],
  services: [Analyzer, Snapshots],
  ready: backend(Analyzer),
  undo: ({ snapshot_id }, call) => Effect.flatMap(backend(Snapshots), ({ remove }) => remove(snapshot_id, call)),
  run: ({ github_url }, call) => Effect.flatMap(backend(Analyzer), ({ repository }) => repository(github_url, call))
})
