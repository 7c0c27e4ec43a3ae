/** Plans how an agent is hardened, over the snapshot that a free analysis of its files leaves. */
import type { EngineFailed, NoWall, SandboxBusy } from "@svc/confined/model"
import { normalized } from "@svc/engines/analysis/paths"
import { makeHardener } from "@svc/engines/hardening/hardener"
import { type InspectionRefused, makeInspector } from "@svc/engines/hygiene/inspector"
import type { StoreBusy } from "@svc/stores/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { type ContentDiscarded, FileLimit, type SnapshotNotFound, Unreadable } from "@svc/tool-kit/services/errors"
import { AgentHardener, type AnalysisFailure, Analyzer, type Hardening, type Project } from "@svc/tool-kit/services/snapshots"
import { Effect, Layer } from "effect"
import { inflateRawSync } from "node:zlib"
import { notConfigured } from "./confinement.ts"

type Failure = ContentDiscarded | EngineFailed | InspectionRefused | NoWall | SandboxBusy | SnapshotNotFound | StoreBusy

const failed = (error: Failure): AnalysisFailure => {
  switch (error._tag) {
    case "ContentDiscarded":
    case "SnapshotNotFound":
      return new Unreadable({ message: "The snapshot was deleted, or its source discarded, while the files were read." })
    case "StoreBusy":
      return new NotConfigured({ reason: "store_busy", detail: error.message, remediation: "Call again in some seconds." })
    case "EngineFailed":
    case "InspectionRefused":
      return new FileLimit({ message: "The files take too long or too much memory to read. Send fewer." })
    default:
      return notConfigured(error)
  }
}

/** Lines of a secret may stand in no patch, and masked text, such as card numbers, is not what the caller has. */
const shownPaths = (
  files: ReadonlyArray<{ readonly path: string; readonly text: string }>,
  project: Project,
  secretive: ReadonlySet<string>
) => {
  const sent = new Set(project.files.map(({ content }) => content))
  return files.filter(({ path, text }) => !secretive.has(path) && sent.has(text)).map(({ path }) => path)
}

const make = Effect.gen(function*() {
  const analyzer = yield* Analyzer
  const store = yield* SnapshotStore
  const inspector = yield* makeInspector
  const hardener = yield* makeHardener

  const harden = Effect.fnUntraced(function*(project: Project, call: Call) {
    const { files: analyze } = yield* analyzer.get
    const { id: account } = accountOf(call)
    // The tool is free, so its snapshot is that of a free analysis, in whatever mode it is called.
    const { skipped, snapshot_id } = yield* analyze(project, { ...call, mode: "lite" })
    const { files } = yield* Effect.mapError(store.content(account, snapshot_id), failed)
    const texts = files.map(({ deflated, path }) => ({ path, text: inflateRawSync(deflated).toString() }))
    // What is kept is masked already: secrets are found in what was sent.
    const kept = new Set(files.map(({ path }) => path))
    const { secretive, secrets } = yield* inspector.findSecrets({
      account,
      files: project.files.filter(({ path }) => kept.has(normalized(path) ?? ""))
    }).pipe(Effect.mapError(failed))
    const shown = shownPaths(texts, project, new Set(secretive))
    const made = yield* Effect.mapError(hardener.harden({ account, files, secrets, shown }), failed)
    return {
      snapshot_id,
      plan: made.plan,
      patch: made.patch,
      searched: made.searched,
      skipped: { count: skipped.count + made.skipped.length, files: [...made.skipped, ...skipped.files] }
    } satisfies Hardening
  })

  return AgentHardener.of({
    get: Effect.as(analyzer.get, { harden }),
    ...(analyzer.weaknesses === undefined ? {} : { weaknesses: analyzer.weaknesses })
  })
})

export const layer = Layer.effect(AgentHardener, make)
