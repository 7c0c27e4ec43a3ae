/** What analyzes code and keeps what comes of it. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { Call } from "../call.ts"
import { type File, may } from "../fields.ts"
import type { ArtifactNotFound, ContentDiscarded, FetchFailed, FileLimit, InvalidPath, InvalidUrl, SnapshotNotFound } from "./errors.ts"

export const Artifact = Schema.Struct({ path: Schema.String, program: Schema.String, bytes: Schema.Natural, free: Schema.Boolean })
export type Artifact = typeof Artifact.Type

/** What an analysis made. */
export const Analysis = Schema.Struct({
  snapshot_id: Schema.String,
  artifact_count: Schema.Natural,
  programs_executed: Schema.Array(Schema.String),
  artifacts: Schema.Array(Artifact)
})
export type Analysis = typeof Analysis.Type

export const Snapshot = Schema.Struct({
  snapshot_id: Schema.String,
  status: Schema.Literals(["running", "complete", "failed"]),
  project_name: Schema.String,
  artifact_count: Schema.Natural,
  artifacts: Schema.Array(Artifact),
  created_at: Schema.String,
  /** When its source was discarded, because the owner's web session ended. Its artifacts stay. */
  content_discarded_at: Schema.NullOr(Schema.String)
})
export type Snapshot = typeof Snapshot.Type

/** A part of an artifact: `next_offset` is null at its end. Offsets count characters. */
export const ArtifactText = Schema.Struct({
  snapshot_id: Schema.String,
  path: Schema.String,
  text: Schema.String,
  offset: Schema.Natural,
  total_characters: Schema.Natural,
  next_offset: Schema.NullOr(Schema.Natural)
})
export type ArtifactText = typeof ArtifactText.Type

const Gap = Schema.Struct({ check: Schema.String, weight: Schema.Natural, finding: Schema.String, next: Schema.String })

/** How ready a project is to be bought from by agents. */
export const Readiness = Schema.Struct({
  score: Schema.Natural,
  risk_level: Schema.Literals(["low", "medium", "high", "critical"]),
  top_gaps: Schema.Array(Gap),
  frameworks: Schema.Array(Schema.String),
  /** The programs whose artifacts would close the gaps. */
  programs: Schema.Array(Schema.String)
})
export type Readiness = typeof Readiness.Type

export const focusAreas = ["sca", "dispute", "mandate", "tap", "tokenization"] as const

/** `snapshot` and `engineer` are absent where the mode does not give them. */
export const Prepared = Schema.Struct({
  score: Schema.Natural,
  risk_level: Readiness.fields.risk_level,
  top_gaps: Schema.Array(Gap),
  focus_areas: Schema.Array(Schema.Literals(focusAreas)),
  artifacts_note: may(Schema.String),
  snapshot: may(Analysis),
  engineer: may(Schema.Struct({
    endpoint: Artifact,
    sandbox_test: Artifact,
    evidence_pack: Schema.Json,
    dispute_readiness: Schema.Finite
  }))
})
export type Prepared = typeof Prepared.Type

/** A bundle that was made of a snapshot. */
export const Bundle = Schema.Struct({ snapshot_id: Schema.String, artifacts: Schema.Array(Artifact), qualification: Schema.String })
export type Bundle = typeof Bundle.Type

export const Hardening = Schema.Struct({
  snapshot_id: Schema.String,
  plan: Schema.Array(Schema.Struct({
    priority: Schema.Natural,
    area: Schema.String,
    finding: Schema.String,
    next: Schema.String,
    path: may(Schema.String)
  }))
})
export type Hardening = typeof Hardening.Type

export interface Project {
  readonly project_name: string
  readonly project_type?: string
  readonly frameworks?: ReadonlyArray<string>
  readonly goals?: ReadonlyArray<string>
  readonly files: ReadonlyArray<File>
}

export interface PrepareRequest extends Omit<Project, "goals"> {
  readonly focus?: string
  readonly agent_type?: string
  readonly focus_areas?: ReadonlyArray<typeof focusAreas[number]>
  readonly budget_per_run_cents?: number
  readonly spending_window?: "per_call" | "hourly" | "daily" | "monthly"
  readonly referral_token?: string
}

export interface CloseRequest {
  readonly snapshot_id: string
  readonly project_root?: string
  readonly product_name?: string
  readonly tagline?: string
  readonly target_marketplaces?: ReadonlyArray<string>
}

/** Makes artifacts of code. Every analysis leaves a snapshot that belongs to the caller. */
export class Analyzer extends Context.Service<Analyzer, Backend<{
  readonly repository: (github_url: string, call: Call) => Effect.Effect<Analysis, InvalidUrl | FetchFailed | FileLimit>
  readonly files: (project: Project, call: Call) => Effect.Effect<Analysis, FileLimit>
  /** Keeps nothing. */
  readonly preview: (project: Omit<Project, "goals">) => Effect.Effect<Readiness, FileLimit>
  readonly prepare: (request: PrepareRequest, call: Call) => Effect.Effect<Prepared, FileLimit>
  readonly harden: (project: Project, call: Call) => Effect.Effect<Hardening, FileLimit>
  readonly close: (request: CloseRequest, call: Call) => Effect.Effect<Bundle, SnapshotNotFound | ContentDiscarded>
  readonly deploy: (snapshot_id: string, call: Call) => Effect.Effect<Bundle, SnapshotNotFound | ContentDiscarded>
}>>()("@svc/tools/Analyzer") {}

/** Keeps snapshots. A caller sees what belongs to their account, and what belongs to nobody. */
export class Snapshots extends Context.Service<Snapshots, Backend<{
  readonly get: (snapshot_id: string, call: Call) => Effect.Effect<Snapshot, SnapshotNotFound>
  /** For good, with all that was made of it. */
  readonly remove: (snapshot_id: string, call: Call) => Effect.Effect<void, SnapshotNotFound>
  readonly artifact: (
    of: { readonly snapshot_id: string; readonly path: string; readonly offset: number; readonly limit: number },
    call: Call
  ) => Effect.Effect<ArtifactText, SnapshotNotFound | InvalidPath | ArtifactNotFound>
}>>()("@svc/tools/Snapshots") {}
