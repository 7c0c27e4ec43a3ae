/** What a product needs to be published, from a snapshot. */
import { backend } from "@svc/tool-kit/backend"
import { list, may, text } from "@svc/tool-kit/fields"
import { ContentDiscarded, InvalidPath, SnapshotLimit, SnapshotNotFound, Unreadable } from "@svc/tool-kit/services/errors"
import { Bundle, Packager } from "@svc/tool-kit/services/snapshots"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

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
  error: Schema.Union([SnapshotNotFound, ContentDiscarded, InvalidPath, SnapshotLimit, Unreadable]),
  examples: [{ snapshot_id: "snap_01", product_name: "Shop" }],
  services: [Packager],
  ready: backend(Packager),
  run: (request, call) => Effect.flatMap(backend(Packager), ({ close }) => close(request, call))
})
