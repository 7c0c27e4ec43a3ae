/** What a product needs to run somewhere, from a snapshot. */
import { backend } from "@svc/tool-kit/backend"
import { text } from "@svc/tool-kit/fields"
import { ContentDiscarded, SnapshotLimit, SnapshotNotFound, Unreadable } from "@svc/tool-kit/services/errors"
import { Bundle, Packager } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const deploy = tool({
  name: "deploy",
  title: "Deploy bundle",
  description: "Files that deploy a snapshot; deploys nothing. Needs a paid plan, whose credits pay.",
  auth: "key",
  kind: "outside",
  prices: { standard: 100, lite: 100 },
  serviceWork: true,
  planOnly: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 120, bytes: 1024 },
  payload: Schema.Struct({ snapshot_id: text(100) }),
  result: Bundle,
  error: Schema.Union([SnapshotNotFound, ContentDiscarded, SnapshotLimit, Unreadable]),
  examples: [{ snapshot_id: "snap_01" }],
  services: [Packager],
  ready: backend(Packager),
  run: ({ snapshot_id }, call) => Effect.flatMap(backend(Packager), ({ deploy: make }) => make(snapshot_id, call))
})
