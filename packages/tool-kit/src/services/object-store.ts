/** Where accounts keep files: by signed URLs, so that no byte passes a call. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import type { FetchFailed, InvalidPath, InvalidRequest } from "./errors.ts"

export const StoredObject = Schema.Struct({
  key: Schema.String,
  bytes: Schema.Natural,
  content_sha256: may(Schema.String),
  modified_at: Schema.String
})

/** What the operation has of these. `scoped_key` begins with `accounts/` and the account's id. */
export const ObjectAnswer = Schema.Struct({
  operation: Schema.Literals(["put", "get", "delete", "list", "copy"]),
  bucket: Schema.String,
  scoped_key: Schema.String,
  url: may(Schema.String),
  expires_at: may(Schema.String),
  /** What a PUT to the URL has to send as it stands here. */
  headers: may(Schema.Record(Schema.String, Schema.String)),
  /** Whether an object of this content was there already: nothing is left to upload. */
  deduplicated: may(Schema.Boolean),
  deleted: may(Schema.Boolean),
  objects: may(Schema.Array(StoredObject)),
  /** Where the next page of the list begins; absent at its end. */
  next_cursor: may(Schema.String)
})
export type ObjectAnswer = typeof ObjectAnswer.Type

export interface ObjectRequest {
  readonly operation: ObjectAnswer["operation"]
  /** Absent for a list of all, and for a put whose key is made of its content. */
  readonly key?: string
  readonly ttl_seconds: number
  readonly content_sha256?: string
  readonly ext?: string
  readonly source_key?: string
  readonly content_type?: string
  readonly content_length?: number
  readonly cursor?: string
  readonly limit?: number
}

export interface ObjectStoreApi {
  readonly run: (request: ObjectRequest, call: Call) => Effect.Effect<ObjectAnswer, InvalidPath | InvalidRequest | FetchFailed>
}

export class ObjectStore extends Context.Service<ObjectStore, Backend<ObjectStoreApi>>()("@svc/tool-kit/ObjectStore") {}
