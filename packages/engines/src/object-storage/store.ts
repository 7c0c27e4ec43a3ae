/** An object, the store that keeps it, and how a store refuses. */
import { Data, type DateTime, type Effect } from "effect"
import type { SignRequest } from "./signature.ts"

export interface StoredObject {
  readonly key: string
  readonly bytes: number
  /** ISO 8601. */
  readonly modified_at: string
  /** Undefined where the store does not tell. */
  readonly content_sha256?: string
}

/** The store does not take the object. `message` says what to do next. */
export class ObjectRefused extends Data.TaggedError("ObjectRefused")<{
  readonly reason: "too_large" | "over_quota" | "too_many" | "mismatch" | "disk_full" | "broken_off"
  readonly message: string
}> {}

/** The store cannot be reached, or answers what makes no sense. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly message: string }> {}

export interface ObjectPage {
  readonly objects: ReadonlyArray<StoredObject>
  /** The key to go on after; undefined at the end. */
  readonly next: string | undefined
}

/** Where objects lie. Keys begin with the two segments that name their owner. */
export interface Bucket {
  readonly name: string
  readonly presign: (
    request: Pick<SignRequest, "method" | "headers" | "seconds"> & { readonly key: string },
    at: DateTime.Utc
  ) => Effect.Effect<string>
  readonly find: (key: string, at: DateTime.Utc) => Effect.Effect<StoredObject | undefined, StoreUnavailable>
  /** Whether there was one, where the store tells. */
  readonly remove: (key: string, at: DateTime.Utc) => Effect.Effect<boolean, StoreUnavailable>
  /** In the order of their keys, those after `after`. */
  readonly list: (
    range: { readonly prefix: string; readonly after?: string | undefined; readonly limit: number },
    at: DateTime.Utc
  ) => Effect.Effect<ObjectPage, StoreUnavailable>
  /** False when there is none under `from`. */
  readonly copy: (from: string, to: string, at: DateTime.Utc) => Effect.Effect<boolean, ObjectRefused | StoreUnavailable>
}
