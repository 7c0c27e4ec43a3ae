/** Where accounts keep files: by signed URLs, so that no byte passes the tool server. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import type { InvalidPath, InvalidRequest } from "./errors.ts"

export const StoredObject = Schema.Struct({ key: Schema.String, bytes: Schema.Natural, content_sha256: may(Schema.String), modified_at: Schema.String })

/** What the operation has of these. `scoped_key` begins with `accounts/` and the account's id. */
export const ObjectAnswer = Schema.Struct({
  operation: Schema.Literals(["put", "get", "delete", "list", "copy"]),
  bucket: Schema.String,
  scoped_key: Schema.String,
  url: may(Schema.String),
  expires_at: may(Schema.String),
  headers: may(Schema.Record(Schema.String, Schema.String)),
  /** Whether an object of this content was there already: nothing is left to upload. */
  deduplicated: may(Schema.Boolean),
  deleted: may(Schema.Boolean),
  objects: may(Schema.Array(StoredObject))
})
export type ObjectAnswer = typeof ObjectAnswer.Type

export interface ObjectRequest {
  readonly operation: ObjectAnswer["operation"]
  readonly key: string
  readonly ttl_seconds: number
  readonly content_sha256?: string
  readonly ext?: string
  readonly source_key?: string
  readonly content_type?: string
  readonly content_length?: number
}

export class ObjectStore extends Context.Service<ObjectStore, Backend<{
  readonly run: (request: ObjectRequest, call: Call) => Effect.Effect<ObjectAnswer, InvalidPath | InvalidRequest>
}>>()("@svc/tools/ObjectStore") {}
