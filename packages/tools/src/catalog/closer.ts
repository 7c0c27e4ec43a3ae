/** What a product needs to be published, from a snapshot. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { list, may, text } from "../fields.ts"
import { ContentDiscarded, SnapshotNotFound } from "../services/errors.ts"
import { Analyzer, Bundle } from "../services/snapshots.ts"
import { tool } from "../tool.ts"

export const closer = tool({
  name: "closer",
  title: "Package a product",
  description: "Packages a snapshot for publication. Needs a paid plan, whose credits pay.",
  auth: "key",
  kind: "outside",
  prices: { standard: 100, lite: 100 },
  serviceWork: true,
  planOnly: true,
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { seconds: 120, bytes: 8192 },
  payload: Schema.Struct({
    snapshot_id: text(100),
    project_root: may(text(1024)),
    product_name: may(text(200)),
    tagline: may(text(300)),
    target_marketplaces: may(list(text(100), 20))
  }),
  result: Bundle,
  error: Schema.Union([SnapshotNotFound, ContentDiscarded]),
  examples: [{ snapshot_id: "snap_01", product_name: "Shop" }],
  ready: backend(Analyzer),
  run: (request, call) => Effect.flatMap(backend(Analyzer), ({ close }) => close(request, call))
})
