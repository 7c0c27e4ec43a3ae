/** Programs over source: what they make, and how it is kept with the snapshot of that source. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import { type AnalysisRequest, type MadeAnalysis, makeAnalysis } from "@svc/engines/analysis/analysis"
import { type FactsCache, noCache } from "@svc/engines/analysis/facts"
import type { AnalysisFailed, SourceFile } from "@svc/engines/analysis/model"
import type { MadeArtifact } from "@svc/programs/confined/model"
import type { StorageFull, StoreBusy } from "@svc/stores/model"
import { ANONYMOUS, type NewArtifact, type SnapshotEnded, type TooManySnapshots } from "@svc/stores/snapshots/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { Progress } from "@svc/tool-kit/progress"
import { SnapshotLimit, Unreadable } from "@svc/tool-kit/services/errors"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { notConfigured } from "./confinement.ts"
import { storeBusy } from "./store-busy.ts"

const notMade = (error: AnalysisFailed | NoWall | SandboxBusy) =>
  error._tag === "AnalysisFailed" ? new Unreadable({ message: error.message }) : notConfigured(error)

export const notKept = (error: SnapshotEnded | StorageFull | StoreBusy | TooManySnapshots) =>
  error._tag === "StoreBusy" ? storeBusy(error) : new SnapshotLimit({ message: error.message })

const artifactOf = ({ citations, evidence, free, path, program, text }: MadeArtifact): NewArtifact => ({
  path,
  program,
  free,
  bytes: Buffer.byteLength(text),
  sha256: hash("sha256", text, "hex"),
  evidence,
  text,
  citations
})

/** An artifact without its text, as answers list it. */
export const listed = ({ citations: _, text: __, ...artifact }: NewArtifact) => artifact

/** `account`: whose facts are kept for the next time. `confinedAs`: whom the children work for. */
export interface ProgramsRequest extends Pick<AnalysisRequest, "description" | "make" | "programs" | "readiness"> {
  readonly account: string
  readonly confinedAs: string
  readonly snapshot_id: string
}

export interface MadePrograms extends Pick<MadeAnalysis, "programs" | "readiness" | "skipped"> {
  readonly artifacts: ReadonlyArray<NewArtifact>
}

export const makeSnapshotPrograms = Effect.gen(function*() {
  const analysis = yield* makeAnalysis()
  const store = yield* SnapshotStore

  const cacheOf = (account: string, id: string): FactsCache =>
    account === ANONYMOUS ? noCache : {
      find: (keys) => Effect.orElseSucceed(store.cachedFacts(account, keys), () => new Map<string, Uint8Array>()),
      keep: (entries) => Effect.ignore(store.keepFacts(account, id, entries.map(({ facts, key }) => ({ key, deflated: facts }))))
    }

  /** What the programs make of these files. */
  const make = Effect.fnUntraced(function*(files: ReadonlyArray<SourceFile>, request: ProgramsRequest) {
    const { account, confinedAs, snapshot_id, ...asked } = request
    const made = yield* analysis.analyze(files, {
      ...asked,
      account: confinedAs,
      cache: cacheOf(account, snapshot_id),
      runsCommands: asked.make !== "free",
      progress: yield* Progress
    })
    return { ...made, artifacts: made.artifacts.map(artifactOf) } satisfies MadePrograms
  }, Effect.mapError(notMade))

  /** The same, kept with the snapshot that the files are of: earlier artifacts of these programs are replaced. */
  const remake = Effect.fnUntraced(function*(files: ReadonlyArray<SourceFile>, request: ProgramsRequest) {
    const { artifacts } = yield* make(files, request)
    yield* Effect.mapError(store.addArtifacts(request.account, request.snapshot_id, artifacts), notKept)
    return artifacts.map(listed)
  })

  return { analysis, make, remake }
})
