/** Snapshots: the source of a repository at one moment, and the artifacts that were made of it. */
import { wholeNumber } from "@svc/kernel/parts/settings"
import { idSchema } from "@svc/kernel/values/ids"
import { leaseSeconds } from "@svc/kernel/values/leases"
import type { Artifact, Citation, Project, Skipped, snapshotStatuses } from "@svc/tool-kit/services/snapshots"
import { Context, Layer, Schema } from "effect"

/** 128 random bits, in the shape of every other id. The id of an anonymous snapshot is all that guards it. */
export const SnapshotId = idSchema("snap", "SnapshotId")
export type SnapshotId = typeof SnapshotId.Type

/** What stands in the place of the account where a snapshot belongs to nobody, and is open to whoever knows its id. */
export const ANONYMOUS = "anonymous"

/** Anonymous snapshots of one network in an hour. */
export const PER_HOUR = 3
/** How long an anonymous snapshot is kept. */
export const ANONYMOUS_HOURS = 24
/** What all anonymous snapshots may take together, compressed. */
export const ANONYMOUS_MIB = 1024

/** How long a snapshot may be `processing`: longer than the longest call that makes one. */
export const PROCESSING_SECONDS = leaseSeconds(240)

export const MIB = 1024 * 1024

/** Mebibytes that an account may keep, compressed: its snapshots and the facts that are cached of them. */
export class SnapshotRoom extends Context.Service<SnapshotRoom, number>()("@svc/stores/SnapshotRoom") {
  static readonly layer = Layer.effect(
    SnapshotRoom,
    wholeNumber("TOOLS_SNAPSHOTS_MIB", { minimum: 1, maximum: 1_048_576, usual: 200 })
  )
}

/**
 * Who makes a snapshot, and how many of them they may make. `network` is the prefix that an anonymous caller's address has; `counted` where
 * the attempt was counted before there was a snapshot.
 */
export type SnapshotMaker =
  | { readonly account: string; readonly perMonth: number }
  | { readonly network: string; readonly counted?: true }

export type Description = Omit<Project, "files">

export interface BeginRequest {
  readonly by: SnapshotMaker
  readonly description: Description
  /** The call that makes the snapshot. */
  readonly call_id?: string
}

/** A file as it was analyzed. */
export interface SnapshotFile {
  readonly path: string
  readonly sha256: string
  /** Before it was compressed. */
  readonly bytes: number
  readonly lines: number
  /** Raw deflate. */
  readonly deflated: Uint8Array
}

export interface NewArtifact extends Artifact {
  readonly text: string
  readonly citations: ReadonlyArray<typeof Citation.Type>
}

/** What an analysis made. */
export interface SnapshotContents {
  readonly files: ReadonlyArray<SnapshotFile>
  readonly artifacts: ReadonlyArray<NewArtifact>
  readonly programs: ReadonlyArray<string>
  readonly skipped: typeof Skipped.Type
}

/** An artifact as it is kept: text and citations raw deflated. */
export interface StoredArtifact extends Artifact {
  readonly deflated: Uint8Array
  readonly citations: Uint8Array
}

/** A snapshot without what it holds. */
export interface SnapshotRow {
  readonly account_id: string
  readonly id: string
  readonly description: Description
  readonly status: typeof snapshotStatuses[number]
  readonly failure: string | null
  readonly programs: ReadonlyArray<string>
  readonly skipped: typeof Skipped.Type
  /** What it takes of the account's room. */
  readonly bytes: number
  /** ISO 8601. */
  readonly created_at: string
  readonly content_discarded_at: string | null
}

/** Facts of a file. The key is made of the file's content and of what read it; the facts are raw deflated. */
export interface CachedFacts {
  readonly key: string
  readonly deflated: Uint8Array
}

/** A line that holds words of a query. */
export const SnapshotHit = Schema.Struct({
  source: Schema.Literals(["content", "artifact"]),
  path: Schema.String,
  line: Schema.Natural,
  text: Schema.String,
  words: Schema.Natural.annotate({ description: "How many of the query's words the line holds" })
}).annotate({ identifier: "SnapshotHit" })
export type SnapshotHit = typeof SnapshotHit.Type

/** More snapshots than the plan gives in a month, or a network in an hour. */
export class TooManySnapshots extends Schema.TaggedError<TooManySnapshots>()("TooManySnapshots", { message: Schema.String }) {}

/** The snapshot is no longer `processing`: it was deleted, or took too long. */
export class SnapshotEnded extends Schema.TaggedError<SnapshotEnded>()("SnapshotEnded", { message: Schema.String }) {}
