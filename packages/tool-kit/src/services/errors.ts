/** Domain failures that several tools share. Their code on the wire is the tag in snake case. */
import { Schema } from "effect"

/** Also for what belongs to another account: both look the same. */
export class SnapshotNotFound extends Schema.TaggedError<SnapshotNotFound>()("SnapshotNotFound", { message: Schema.String }) {}

/** The path leads out of the snapshot, or is none. */
export class InvalidPath extends Schema.TaggedError<InvalidPath>()("InvalidPath", { message: Schema.String }) {}

export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", { message: Schema.String }) {}

/** The source of the snapshot is gone, and the tool needs it. Analyze it again. */
export class ContentDiscarded extends Schema.TaggedError<ContentDiscarded>()("ContentDiscarded", { message: Schema.String }) {}

/** The URL is none that this tool reads. */
export class InvalidUrl extends Schema.TaggedError<InvalidUrl>()("InvalidUrl", { message: Schema.String }) {}

/** What was to be read did not come. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", { message: Schema.String, retryable: Schema.Boolean }) {}

/** More or larger files than the account's plan takes. */
export class FileLimit extends Schema.TaggedError<FileLimit>()("FileLimit", { message: Schema.String }) {}

/** The account's plan gives no more snapshots now, or has no room for one. */
export class SnapshotLimit extends Schema.TaggedError<SnapshotLimit>()("SnapshotLimit", { message: Schema.String }) {}

/** No program of this name runs. */
export class ProgramNotFound extends Schema.TaggedError<ProgramNotFound>()("ProgramNotFound", { message: Schema.String }) {}

/** What was sent cannot be read as what it says it is. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** The arguments fit the schema, and still make no sense together in this mode. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", { message: Schema.String }) {}
