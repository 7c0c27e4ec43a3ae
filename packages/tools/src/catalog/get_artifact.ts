/** The text of one artifact, in parts that a model can take. */
import { backend } from "@svc/tool-kit/backend"
import { may, text, whole } from "@svc/tool-kit/fields"
import { ArtifactNotFound, InvalidPath, SnapshotNotFound } from "@svc/tool-kit/services/errors"
import { ArtifactText, Snapshots } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

/** Characters of a part: about 20,000 tokens, and some clients cut at 25,000. */
const USUAL = 60_000

export const get_artifact = tool({
  name: "get_artifact",
  title: "Get an artifact",
  description: "Text of an artifact, from offset, in characters; next_offset leads on.",
  auth: "scoped",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 5, bytes: 4096 },
  payload: Schema.Struct({
    snapshot_id: text(100),
    path: text(1024),
    offset: may(whole(0, 1_000_000_000)),
    limit: may(whole(1, 1_000_000))
  }),
  result: ArtifactText,
  error: Schema.Union([SnapshotNotFound, InvalidPath, ArtifactNotFound]),
  examples: [{ snapshot_id: "snap_01", path: "AGENTS.md" }],
  services: [Snapshots],
  ready: backend(Snapshots),
  run: ({ limit = USUAL, offset = 0, path, snapshot_id }, call) =>
    Effect.flatMap(backend(Snapshots), ({ artifact }) => artifact({ snapshot_id, path, offset, limit }, call))
})
