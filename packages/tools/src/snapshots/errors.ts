/** What the routes of snapshots are refused with, in the words of the tools. */
import { again, errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const notFound = errorCode(
  "snapshot_not_found",
  404,
  "There is no such snapshot, or it belongs to another account.",
  "Send the snapshot_id of an analysis of yours."
)
const noArtifact = errorCode(
  "artifact_not_found",
  404,
  "The snapshot has no artifact of this path or program.",
  "get_snapshot lists its artifacts. closer and deploy make those of their programs."
)
const noProgram = errorCode("program_not_found", 404, "No program of this name runs.", "list_programs says which do.")
const discarded = errorCode(
  "content_discarded",
  409,
  "The source of the snapshot was discarded. Its artifacts are still there.",
  "Read its artifacts, or analyze again."
)
const unreadable = errorCode(
  "unreadable",
  422,
  "The source cannot be read, or not in the time and memory that there is.",
  "Analyze a part of it."
)
const limit = errorCode(
  "snapshot_limit",
  429,
  "The plan gives no more snapshots now, or the account's room for snapshots is full.",
  "Delete snapshots, or discard their source."
)
const away = errorCode(
  "not_configured",
  501,
  "This installation lacks what the request needs.",
  "Read the message: it says what is missing, and who can add it."
)
const busy = errorCode(
  "store_busy",
  503,
  "The account's snapshots are being written.",
  "Try again in a few seconds.",
  again(5)
)
const sandboxBusy = errorCode(
  "sandbox_busy",
  503,
  "All places for work on foreign files are taken.",
  "Try again in a few seconds.",
  again(5)
)

/** 404. */
export class NoSnapshot extends Schema.Error<NoSnapshot>("NoSnapshot")(wireFields("NoSnapshot", notFound), wireAnnotations(notFound)) {}
/** 404. */
export class NoArtifact extends Schema.Error<NoArtifact>("NoArtifact")(wireFields("NoArtifact", noArtifact), wireAnnotations(noArtifact)) {}
/** 404. */
export class NoProgram extends Schema.Error<NoProgram>("NoProgram")(wireFields("NoProgram", noProgram), wireAnnotations(noProgram)) {}
/** 409. */
export class NoContent extends Schema.Error<NoContent>("NoContent")(wireFields("NoContent", discarded), wireAnnotations(discarded)) {}
/** 422. */
export class NotReadable
  extends Schema.Error<NotReadable>("NotReadable")(wireFields("NotReadable", unreadable), wireAnnotations(unreadable))
{}
/** 429. */
export class NoRoom extends Schema.Error<NoRoom>("NoRoom")(wireFields("NoRoom", limit), wireAnnotations(limit)) {}
/** 501. */
export class NotHere extends Schema.Error<NotHere>("NotHere")(wireFields("NotHere", away), wireAnnotations(away)) {}
/** 503. */
export class SnapshotsBusy extends Schema.Error<SnapshotsBusy>("SnapshotsBusy")(wireFields("SnapshotsBusy", busy), wireAnnotations(busy)) {}
/** 503. */
export class NoPlace extends Schema.Error<NoPlace>("NoPlace")(wireFields("NoPlace", sandboxBusy), wireAnnotations(sandboxBusy)) {}
