/** What analyzes code and keeps what comes of it. */
import { Context, type Effect, Schema } from "effect"
import type { Backend, NotConfigured } from "../backend.ts"
import type { Call } from "../call.ts"
import { type File, may } from "../fields.ts"
import type {
  ArtifactNotFound,
  ContentDiscarded,
  FetchFailed,
  FileLimit,
  InvalidPath,
  InvalidRequest,
  InvalidUrl,
  ProgramNotFound,
  SnapshotLimit,
  SnapshotNotFound,
  Unreadable
} from "./errors.ts"

export const Artifact = Schema.Struct({
  path: Schema.String,
  program: Schema.String,
  free: Schema.Boolean,
  bytes: Schema.Natural,
  sha256: Schema.String,
  /** `none`: the repository has nothing that the artifact is about, and it says what was searched. */
  evidence: Schema.Literals(["cited", "none"])
})
export type Artifact = typeof Artifact.Type

export const snapshotStatuses = ["processing", "completed", "failed"] as const

/** Files that were not analyzed: the first of them, and how many there are. */
export const Skipped = Schema.Struct({
  count: Schema.Natural,
  files: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String }))
})

/** What an analysis made. */
export const Analysis = Schema.Struct({
  snapshot_id: Schema.String,
  status: Schema.Literals(snapshotStatuses),
  artifact_count: Schema.Natural,
  /** Names of the programs. */
  programs_executed: Schema.Array(Schema.String),
  artifacts: Schema.Array(Artifact),
  skipped: Skipped
})
export type Analysis = typeof Analysis.Type

/** What one program made of a snapshot. */
export const ProgramRun = Schema.Struct({ snapshot_id: Schema.String, program: Schema.String, artifacts: Schema.Array(Artifact) })
export type ProgramRun = typeof ProgramRun.Type

export const Snapshot = Schema.Struct({
  snapshot_id: Schema.String,
  status: Schema.Literals(snapshotStatuses),
  project_name: Schema.String,
  artifact_count: Schema.Natural,
  artifacts: Schema.Array(Artifact),
  created_at: Schema.String,
  /** When its source was discarded, because the owner's web session ended. Its artifacts stay. */
  content_discarded_at: Schema.NullOr(Schema.String)
})
export type Snapshot = typeof Snapshot.Type

/** Where what stands in an artifact comes from. `at` is a line of the artifact, or, of JSON, a pointer such as `/packages/0`. */
export const Citation = Schema.Struct({
  at: Schema.Union([Schema.Natural, Schema.String]),
  path: Schema.String,
  start_line: Schema.Natural,
  end_line: Schema.Natural
})

/** A part of an artifact: `next_offset` is null at its end. Offsets count characters. */
export const ArtifactText = Schema.Struct({
  snapshot_id: Schema.String,
  path: Schema.String,
  text: Schema.String,
  /** Of what stands in this part. */
  citations: Schema.Array(Citation),
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

/** An entry of one of OWASP's lists. */
const RiskSource = Schema.Struct({ id: Schema.String, title: Schema.String, url: Schema.String })

/** How an agent is hardened, the gravest first. `patch` is a unified diff of what needs no judgement: of the item, and of all together. */
export const Hardening = Schema.Struct({
  snapshot_id: Schema.String,
  plan: Schema.Array(Schema.Struct({
    priority: Schema.Natural,
    area: Schema.String,
    finding: Schema.String,
    next: Schema.String,
    path: may(Schema.String),
    rule: Schema.String,
    severity: Schema.Literals(["critical", "high", "medium", "low"]),
    line: Schema.Natural,
    reason: Schema.String,
    sources: Schema.Array(RiskSource),
    patch: may(Schema.String)
  })),
  patch: Schema.String,
  /** What was looked through, so that an empty plan says something. */
  searched: Schema.Struct({ files: Schema.Natural, agent_files: Schema.Natural, model_calls: Schema.Natural }),
  skipped: Skipped
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

/** Why nothing was analyzed: too much for the plan, no room, or nothing that can be read. */
export type AnalysisFailure = FileLimit | SnapshotLimit | InvalidRequest | Unreadable | NotConfigured

/** Makes artifacts of code. Every analysis leaves a snapshot that belongs to the caller. */
export class Analyzer extends Context.Service<
  Analyzer,
  Backend<{
    readonly repository: (github_url: string, call: Call) => Effect.Effect<Analysis, InvalidUrl | FetchFailed | AnalysisFailure>
    readonly files: (project: Project, call: Call) => Effect.Effect<Analysis, AnalysisFailure>
    /** The free artifacts, for somebody of this network who has no key. The snapshot belongs to nobody. */
    readonly anonymous: (github_url: string, network: string) => Effect.Effect<Analysis, InvalidUrl | FetchFailed | AnalysisFailure>
    /**
     * Runs one program over the source of a snapshot, and keeps what it makes: of a snapshot whose analysis was free, the free artifacts.
     * The viewer is the caller's account; without one, snapshots that belong to nobody are seen.
     */
    readonly program: (
      of: { readonly snapshot_id: string; readonly program: string },
      viewer: string | undefined
    ) => Effect.Effect<ProgramRun, PackagingFailure | ProgramNotFound>
  }>
>()("@svc/tool-kit/Analyzer") {}

/** Says how ready a project is to be bought from by agents, and makes what it lacks. */
export class ReadinessScorer extends Context.Service<
  ReadinessScorer,
  Backend<{
    /** Keeps nothing. */
    readonly preview: (project: Omit<Project, "goals">, call: Call) => Effect.Effect<Readiness, AnalysisFailure>
    readonly prepare: (request: PrepareRequest, call: Call) => Effect.Effect<Prepared, AnalysisFailure>
  }>
>()("@svc/tool-kit/ReadinessScorer") {}

/** Plans how the source of an agent is made safer. */
export class AgentHardener extends Context.Service<
  AgentHardener,
  Backend<{ readonly harden: (project: Project, call: Call) => Effect.Effect<Hardening, AnalysisFailure> }>
>()("@svc/tool-kit/AgentHardener") {}

/** Why no bundle was made: there is no such snapshot of the account, its source is gone, it cannot be read, or there is no room. */
export type PackagingFailure = SnapshotNotFound | ContentDiscarded | Unreadable | SnapshotLimit | NotConfigured

/** Makes of a snapshot of the caller's account what publishes it or puts it to work. Of the same program the last bundle is kept. */
export class Packager extends Context.Service<
  Packager,
  Backend<{
    readonly close: (request: CloseRequest, call: Call) => Effect.Effect<Bundle, PackagingFailure | InvalidPath>
    readonly deploy: (snapshot_id: string, call: Call) => Effect.Effect<Bundle, PackagingFailure>
  }>
>()("@svc/tool-kit/Packager") {}

/** Keeps snapshots. A caller sees what belongs to their account, and what belongs to nobody. */
export class Snapshots extends Context.Service<
  Snapshots,
  Backend<{
    readonly get: (snapshot_id: string, call: Call) => Effect.Effect<Snapshot, SnapshotNotFound>
    /** For good, with all that was made of it. */
    readonly remove: (snapshot_id: string, call: Call) => Effect.Effect<void, SnapshotNotFound | NotConfigured>
    readonly artifact: (
      of: { readonly snapshot_id: string; readonly path: string; readonly offset: number; readonly limit: number },
      call: Call
    ) => Effect.Effect<ArtifactText, SnapshotNotFound | InvalidPath | ArtifactNotFound>
  }>
>()("@svc/tool-kit/Snapshots") {}
