/** What the routes of snapshots ask and answer. */
import { SnapshotHit } from "@svc/stores/snapshots/model"
import { ProgramRun } from "@svc/tool-kit/services/snapshots"
import { Schema } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

export const SnapshotSearchQuery = {
  q: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)).annotate({
    description: "Words, at most 16. Capitals make no difference, and a word may be a part of another"
  })
}

export const SnapshotSearchResult = Schema.Struct({ snapshot_id: Schema.String, hits: Schema.Array(SnapshotHit) }).annotate({
  identifier: "SnapshotSearchResult",
  description: "At most 50 lines: those with most of the words first, the source before artifacts."
}).pipe(Schema.annotateEncoded({
  examples: [{
    snapshot_id: "snap_5Q0K9A7M3X8R2T6V1W4Y0Z9B8C",
    hits: [{ source: "content", path: "src/total.ts", line: 3, text: "export const total = sum(prices)", words: 2 }]
  }]
}))

export const GZIP = "application/gzip"

export const BundleQuery = {
  program: Schema.optionalKey(Schema.Literals(["closer", "deploy"])).annotate({ description: "All artifacts without" })
}

/** The tarball, sent as it is made. */
export const BundleBody = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: GZIP }))

export const SnapshotProgramRun = ProgramRun.annotate({ identifier: "SnapshotProgramRun" }).pipe(Schema.annotateEncoded({
  examples: [{
    snapshot_id: "snap_5Q0K9A7M3X8R2T6V1W4Y0Z9B8C",
    program: "skills",
    artifacts: [{
      path: "AGENTS.md",
      program: "skills",
      free: true,
      bytes: 1204,
      sha256: "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
      evidence: "cited"
    }]
  }]
}))
