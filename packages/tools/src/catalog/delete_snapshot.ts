/** The end of a snapshot. */
import { backend } from "@svc/tool-kit/backend"
import { text } from "@svc/tool-kit/fields"
import { SnapshotNotFound } from "@svc/tool-kit/services/errors"
import { Snapshots } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const delete_snapshot = tool({
  name: "delete_snapshot",
  title: "Delete a snapshot",
  description: "Deletes a snapshot and all made of it, for good.",
  auth: "scoped",
  kind: "inline",
  prices: "free",
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  limits: { seconds: 10, bytes: 1024 },
  payload: Schema.Struct({ snapshot_id: text(100) }),
  result: Schema.Struct({ snapshot_id: Schema.String, deleted: Schema.Literal(true) }),
  error: SnapshotNotFound,
  examples: [{ snapshot_id: "snap_01" }],
  services: [Snapshots],
  ready: backend(Snapshots),
  run: ({ snapshot_id }, call) =>
    Effect.flatMap(backend(Snapshots), ({ remove }) => Effect.as(remove(snapshot_id, call), { snapshot_id, deleted: true } as const))
})
