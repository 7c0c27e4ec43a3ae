/** What an analysis left. */
import { backend } from "@svc/tool-kit/backend"
import { text } from "@svc/tool-kit/fields"
import { SnapshotNotFound } from "@svc/tool-kit/services/errors"
import { Snapshot, Snapshots } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const get_snapshot = tool({
  name: "get_snapshot",
  title: "Get a snapshot",
  description: "Status and artifacts of an analysis.",
  auth: "scoped",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 5, bytes: 1024 },
  payload: Schema.Struct({ snapshot_id: text(100) }),
  result: Snapshot,
  error: SnapshotNotFound,
  examples: [{ snapshot_id: "snap_01" }],
  services: [Snapshots],
  ready: backend(Snapshots),
  run: ({ snapshot_id }, call) => Effect.flatMap(backend(Snapshots), ({ get }) => get(snapshot_id, call))
})
