/** Signed URLs for files of the account. */
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend } from "@svc/tool-kit/backend"
import { may, text, unsaid, whole } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidPath, InvalidRequest } from "@svc/tool-kit/services/errors"
import { ObjectAnswer, ObjectStore } from "@svc/tool-kit/services/object-store"
import { billed, tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const ENGINEER_OPERATIONS: ReadonlySet<string> = new Set(["delete", "list", "copy"])

export const svc_object_storage = tool({
  name: "svc_object_storage",
  title: "Store objects",
  description:
    "Signed URL to put or get an object. engineer: delete, list (key: prefix), copy, dedup by content_sha256, signed type and length.",
  auth: "key",
  kind: "inline",
  keepsText: true,
  prices: { standard: 1, lite: 0, engineer: 5 },
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  limits: { seconds: 15, bytes: 16_384 },
  payload: Schema.Struct({
    operation: Schema.Literals(["put", "get", "delete", "list", "copy"]),
    key: may(text(1024)),
    ttl_seconds: may(whole(1, 86_400)),
    content_sha256: may(Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))),
    ext: may(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{1,16}$/u, unsaid))),
    source_key: may(text(1024)),
    content_type: may(
      Schema.String.check(Schema.isPattern(/^[\x21-\x3A\x3C-\x7E]+(?:; ?[\x21-\x3A\x3C-\x7E]+)*$/u, unsaid), Schema.isMaxLength(255))
    ),
    content_length: may(whole(0, 5 * 1024 ** 3)),
    cursor: may(text(2048)),
    limit: may(whole(1, 1000))
  }),
  result: ObjectAnswer,
  error: Schema.Union([InvalidPath, InvalidFields, InvalidRequest, FetchFailed]),
  examples: [{ operation: "put", key: "reports/november.csv" }, {
    operation: "get",
    key: "reports/november.csv"
  }],
  services: [ObjectStore],
  ready: backend(ObjectStore),
  // A signed URL that nobody was given leaves nothing.
  readsOnly: ({ operation }) => operation !== "delete" && operation !== "copy",
  run: Effect.fnUntraced(function*({ ttl_seconds = 3600, ...request }, call) {
    const { content_length, content_sha256, content_type, ext, operation, source_key } = request
    if (ENGINEER_OPERATIONS.has(operation)) yield* engineerOnly(call.mode, { [`operation ${operation}`]: operation })
    yield* engineerOnly(call.mode, { content_length, content_sha256, content_type, ext, source_key })
    const answer = yield* (yield* backend(ObjectStore)).run({ ttl_seconds, ...request }, call)
    // Where no object was, none was deleted.
    return answer.deleted === false ? billed(answer, 0) : answer
  })
})
