/** An analysis: what was sent becomes files, files become facts, and facts artifacts. Foreign bytes are opened in confined children. */
import type { EngineRequest } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import type { MadeArtifact, MakeOptions, ReadinessAnswer } from "@svc/programs/confined/model"
import { pack } from "@svc/programs/confined/pack"
import { Effect } from "effect"
import { type AnalysisEngines, analysisEngines, makeAnalysisChildren } from "./children.ts"
import { makeRunCommands, notRun } from "./commands.ts"
import { type FactsCache, findFacts } from "./facts.ts"
import { AnalysisFailed, type SkippedFile, type SourceFile, SourceRefused } from "./model.ts"

/** What was sent. A tarball is never whole in this process. */
export type Source =
  | { readonly tarball: Exclude<EngineRequest["bytes"], Uint8Array> }
  | { readonly files: ReadonlyArray<{ readonly path: string; readonly content: string }> }

/** The files that are analysed, in the order of their paths, and those that are not. */
export interface TakenSource {
  readonly files: ReadonlyArray<SourceFile>
  readonly skipped: ReadonlyArray<SkippedFile>
}

export interface AnalysisRequest {
  /** Children are shared by no two accounts. */
  readonly account: string
  readonly description: MakeOptions["description"]
  readonly make: Exclude<MakeOptions["make"], "commands">
  /** Names of the programs that run; all where it is left out. */
  readonly programs?: ReadonlyArray<string>
  /** Whether readiness for purchases by agents is scored, too. */
  readonly readiness?: MakeOptions["readiness"]
  /** Whether commands that artifacts advise are run. */
  readonly runsCommands: boolean
  readonly cache: FactsCache
  /** Told while the analysis goes on: of so many steps, so many are done. */
  readonly progress: (step: { readonly progress: number; readonly total: number; readonly message: string }) => Effect.Effect<void>
}

export interface MadeAnalysis {
  readonly artifacts: ReadonlyArray<MadeArtifact>
  /** Names of the programs that made them. */
  readonly programs: ReadonlyArray<string>
  /** Files that could not be read, or not as a whole. */
  readonly skipped: ReadonlyArray<SkippedFile>
  readonly readiness?: ReadinessAnswer
}

const tooSlow = () => new SourceRefused({ reason: "too_slow", message: "What was sent takes too long to open. Send less." })

export const makeAnalysis = Effect.fnUntraced(function*(engines: AnalysisEngines = analysisEngines) {
  const confined = yield* Confined
  const children = yield* makeAnalysisChildren(engines)
  const runCommands = yield* makeRunCommands

  const take = Effect.fnUntraced(function*(account: string, source: Source) {
    const answer = yield* ("tarball" in source
      ? children.intake(account, source.tarball, { source: "tarball" })
      : children.intake(
        account,
        pack(source.files.map(({ content, path }) => ({ name: path, bytes: Buffer.from(content) }))),
        { source: "files" }
      )).pipe(Effect.catchTag("EngineFailed", () => Effect.fail(tooSlow())))
    if ("refused" in answer) return yield* new SourceRefused(answer.refused)
    const files = answer.files.map(({ deflated, ...file }): SourceFile => ({ ...file, deflated: Buffer.from(deflated, "base64") }))
    return { files, skipped: answer.skipped } satisfies TakenSource
  })

  const analyze = Effect.fnUntraced(function*(files: ReadonlyArray<SourceFile>, request: AnalysisRequest) {
    const { account, cache, description, make, programs, readiness, runsCommands } = request
    const asked = { ...programs === undefined ? {} : { programs }, ...readiness === undefined ? {} : { readiness } }
    const total = files.length + 2
    let done = 0
    const tell = (message: string) => (steps: number) => Effect.suspend(() => request.progress({ progress: done += steps, total, message }))

    const { facts, skipped } = yield* findFacts(files, { account, children, cache, read: tell("reading files") })
    if (facts.size === 0 && files.length > 0) return yield* new AnalysisFailed({ message: "No file could be read." })
    const pieces = files.flatMap(({ path }) => {
      const bytes = facts.get(path)
      return bytes === undefined ? [] : [{ name: path, bytes }]
    })
    const failed = () =>
      Effect.fail(new AnalysisFailed({ message: "The facts of these files take too long or too much memory to put together." }))
    const put = (what: MakeOptions["make"], ran: MakeOptions["ran"]) =>
      Effect.catchTag(children.make(account, pieces, { description, make: what, skipped, ran, ...asked }), "EngineFailed", failed)

    const { commands } = yield* put("commands", [])
    const ran = runsCommands ? yield* runCommands(commands, files) : notRun(commands, "free analyses run no commands")
    yield* tell("commands were run")(1)
    const { skipped: leftOut, ...result } = yield* put(make, ran)
    yield* tell("artifacts are made")(1)
    return { ...result, skipped: [...skipped, ...leftOut] } satisfies MadeAnalysis
  })

  return { take, analyze, wall: confined.wall }
})
