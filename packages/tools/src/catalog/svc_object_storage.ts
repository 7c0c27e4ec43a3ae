/** Signed URLs for files of the account. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { may, text, whole } from "../fields.ts"
import { InvalidPath, InvalidRequest } from "../services/errors.ts"
import { ObjectAnswer, ObjectStore } from "../services/object-store.ts"
import { tool } from "../tool.ts"

export const svc_object_storage = tool({
  name: "svc_object_storage",
  title: "Store objects",
  description: "Signed URL to put or get an object of your account. delete, list, copy, and dedup by content_sha256 need engineer.",
  auth: "key",
  kind: "inline",
  prices: { standard: 1, lite: 0, engineer: 5 },
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  limits: { seconds: 15, bytes: 16_384 },
  payload: Schema.Struct({
    operation: Schema.Literals(["put", "get", "delete", "list", "copy"]),
    key: text(1024),
    ttl_seconds: may(whole(1, 86_400)),
    content_sha256: may(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))),
    ext: may(text(16)),
    source_key: may(text(1024)),
    content_type: may(text(255)),
    content_length: may(whole(0, 5_000_000_000))
  }),
  result: ObjectAnswer,
  error: Schema.Union([InvalidPath, InvalidRequest]),
  examples: [{ operation: "put", key: "reports/november.csv", content_type: "text/csv" }, { operation: "get", key: "reports/november.csv" }],
  ready: backend(ObjectStore),
  run: ({ ttl_seconds = 3600, ...request }, call) => Effect.flatMap(backend(ObjectStore), ({ run }) => run({ ttl_seconds, ...request }, call))
})
