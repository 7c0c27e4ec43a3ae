/** What a product needs to run somewhere, from a snapshot. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { text } from "../fields.ts"
import { ContentDiscarded, SnapshotNotFound } from "../services/errors.ts"
import { Analyzer, Bundle } from "../services/snapshots.ts"
import { tool } from "../tool.ts"

export const deploy = tool({
  name: "deploy",
  title: "Make a deploy bundle",
  description: "Makes the files that deploy a snapshot; deploys nothing itself. Needs a paid plan, whose credits pay.",
  auth: "key",
  kind: "outside",
  prices: { standard: 100, lite: 100 },
  serviceWork: true,
  planOnly: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 120, bytes: 1024 },
  payload: Schema.Struct({ snapshot_id: text(100) }),
  result: Bundle,
  error: Schema.Union([SnapshotNotFound, ContentDiscarded]),
  examples: [{ snapshot_id: "snap_01" }],
  ready: backend(Analyzer),
  run: ({ snapshot_id }, call) => Effect.flatMap(backend(Analyzer), ({ deploy: make }) => make(snapshot_id, call))
})
