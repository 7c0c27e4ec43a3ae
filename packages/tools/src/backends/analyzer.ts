/** Artifacts of code: the engine of analyses, with the plan, the store of snapshots and GitHub around it. */
import type { NoWall, SandboxBusy, WallReport } from "@svc/confined/model"
import type { AnalysisRequest, Source, TakenSource } from "@svc/engines/analysis/analysis"
import { makeRepositories, type RepositoryNotFetched, repositoryOf } from "@svc/engines/analysis/github"
import type { SourceFile, SourceRefused } from "@svc/engines/analysis/model"
import * as webEgress from "@svc/kernel/egress/web"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { flatLine } from "@svc/kernel/values/text"
import { GithubTokens } from "@svc/metering/github-tokens/service"
import { type Plan, plans } from "@svc/metering/plans/model"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { programs } from "@svc/programs/programs"
import { ANONYMOUS, type Description, type SnapshotMaker } from "@svc/stores/snapshots/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import type { NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Call, type Mode } from "@svc/tool-kit/call"
import { FetchFailed, FileLimit, InvalidRequest, InvalidUrl, ProgramNotFound, Unreadable } from "@svc/tool-kit/services/errors"
import { Site } from "@svc/tool-kit/services/site"
import { type Analysis, type AnalysisFailure, Analyzer, type Artifact, type Project } from "@svc/tool-kit/services/snapshots"
import { Context, Effect, Layer, type Redacted } from "effect"
import { notConfigured } from "./confinement.ts"
import { packagingPrograms } from "./packager.ts"
import { GithubSettings } from "./settings.ts"
import { listed, type MadePrograms, makeSnapshotPrograms, notKept } from "./snapshot-programs.ts"
import { storeBusy } from "./store-busy.ts"

const MIB = 1024 * 1024
/** As long as a call of the tools may take: somebody without a key waits no longer. */
const ANONYMOUS_SECONDS = 180
const MOST_SKIPPED = 50

const notTaken = (error: NoWall | SandboxBusy | SourceRefused): AnalysisFailure => {
  if (error._tag !== "SourceRefused") return notConfigured(error)
  const { message, reason } = error
  switch (reason) {
    case "too_large":
    case "too_slow":
      return new FileLimit({ message })
    case "unsafe_path":
    case "duplicate_path":
      return new InvalidRequest({ message })
    case "damaged":
      return new Unreadable({ message })
  }
}

const STORE_TOKEN = "POST /v1/account/github-token"
const NEXT: Readonly<Record<RepositoryNotFetched["reason"], string>> = {
  missing: ` A private one needs a token of the account: store it with ${STORE_TOKEN}.`,
  unauthorized: ` Store a current one with ${STORE_TOKEN}.`,
  limited: "",
  failed: ""
}
const notFetched = ({ message, reason, retryable }: RepositoryNotFetched): FetchFailed =>
  new FetchFailed({ message: `${message}${NEXT[reason]}`, retryable })

const megabytes = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

/** What the plan takes, counted over the files that are analyzed. */
const withinPlan = (files: ReadonlyArray<SourceFile>, { analyses }: Plan): Effect.Effect<void, FileLimit> => {
  const bytes = sum(files.map((file) => file.bytes))
  if (files.length === 0) {
    return Effect.fail(
      new FileLimit({ message: "Every file is binary, larger than 1 MiB, vendored or ignored: there is nothing to analyze." })
    )
  }
  return files.length <= analyses.files && bytes <= analyses.bytes ? Effect.void : Effect.fail(
    new FileLimit({
      message:
        `There are ${files.length} files with ${megabytes(bytes)} to analyze; the account's plan takes ${analyses.files} files with ` +
        `${megabytes(analyses.bytes)}. Leave files out, as .gitignore does, or take a larger plan. Nothing was charged.`
    })
  )
}

/** No card number is kept, whoever wrote it where, and no break of lines, behind which a word would be a heading of an artifact. */
const said = (text: string): string => redactCardNumbers(flatLine(text))

const masked = ({ frameworks, goals, project_name, project_type }: Description): Description => ({
  project_name: said(project_name) || "project",
  ...(project_type === undefined ? {} : { project_type: said(project_type) }),
  ...(frameworks === undefined ? {} : { frameworks: frameworks.map(said) }),
  ...(goals === undefined ? {} : { goals: goals.map(said) })
})

/**
 * Whether all that the program makes was paid for: with the analysis, or by a packager's call, which makes its program alone. What was not
 * paid for is not made afterwards.
 */
const isPaid = (program: string, artifacts: ReadonlyArray<Artifact>): boolean =>
  artifacts.some((artifact) => !artifact.free && (artifact.program === program || !packagingPrograms.has(artifact.program)))

const makes = { lite: "free", standard: "all", engineer: "engineer" } as const satisfies Record<Mode, AnalysisRequest["make"]>

/** Whose analysis it is, and what they may have. */
interface Customer {
  /** Of the store, and of the children. */
  readonly account: string
  readonly confinedAs: string
  readonly by: SnapshotMaker
  readonly plan: Plan
  readonly mode: Mode
  readonly callId?: string
  readonly asked?: Asked
}

/** What of an analysis another backend asks for: some of the programs, a score. */
export type Asked = Pick<AnalysisRequest, "programs" | "readiness">

/** An analysis that is kept, and the score where one was asked for. */
export interface KeptAnalysis extends Pick<MadePrograms, "artifacts" | "readiness"> {
  readonly analysis: Analysis
}

/** The road of analyses, for the backends that go it: source, facts and artifacts in confined children, the plan, the snapshot. */
export class Analyses extends Context.Service<Analyses, {
  readonly wall: Effect.Effect<WallReport, NotConfigured>
  /** Keeps a snapshot for the caller's account. */
  readonly keep: (project: Project, call: Call, asked: Asked) => Effect.Effect<KeptAnalysis, AnalysisFailure>
  /** Keeps nothing. Children are shared by no two of those that it is confined as. */
  readonly look: (project: Project, confinedAs: string, asked: Asked) => Effect.Effect<MadePrograms, AnalysisFailure>
}>()("@svc/tools/Analyses") {}

const make = Effect.gen(function*() {
  const snapshotPrograms = yield* makeSnapshotPrograms
  const store = yield* SnapshotStore
  const meter = yield* Meter
  const tokens = yield* GithubTokens
  const github = yield* GithubSettings
  // GitHub's own addresses are the operator's choice, and may stand in a private network.
  const egress = webEgress.layer({ allow: [github.apiUrl, github.url].map((url) => new URL(url).host) })
  const web = Context.get(yield* Layer.build(egress), webEgress.WebEgress)
  const repositories = yield* makeRepositories(github, web, `svc (+${(yield* Site).tools_url})`)

  /** Makes and keeps the artifacts of a snapshot that has begun. One that is given up at any moment ends in `failed`. */
  const completed = Effect.fnUntraced(
    function*({ account, asked, confinedAs, mode }: Customer, id: string, { files, skipped }: TakenSource, description: Description) {
      const request = { account, confinedAs, snapshot_id: id, description, make: makes[mode], ...asked }
      const { readiness, ...made } = yield* snapshotPrograms.make(files, request)
      const { artifacts } = made
      const all = [...made.skipped, ...skipped]
      const contents = { ...made, files, skipped: { count: all.length, files: all.slice(0, MOST_SKIPPED) } }
      yield* Effect.mapError(store.complete(account, id, contents), notKept)
      const analysis: Analysis = {
        snapshot_id: id,
        status: "completed",
        artifact_count: artifacts.length,
        programs_executed: contents.programs,
        artifacts: artifacts.map(listed),
        skipped: contents.skipped
      }
      const kept: KeptAnalysis = { analysis, artifacts, ...readiness === undefined ? {} : { readiness } }
      return kept
    },
    (effect, { account }, id) =>
      Effect.onError(effect, () => Effect.ignore(store.fail(account, id, "The analysis was given up."), { log: "Warn" }))
  )

  const analyzed = Effect.fnUntraced(function*(customer: Customer, source: Source, given: Description) {
    const { account, by, callId, confinedAs, plan } = customer
    const taken = yield* Effect.mapError(snapshotPrograms.analysis.take(confinedAs, source), notTaken)
    const { files } = taken
    yield* withinPlan(files, plan)
    const description = masked(given)
    const begin = store.begin({ by, description, ...(callId === undefined ? {} : { call_id: callId }) })
    const id = yield* store.checkRoom(account, sum(files.map(({ deflated }) => deflated.length))).pipe(
      Effect.andThen(begin),
      Effect.mapError(notKept)
    )
    return yield* completed(customer, id, taken, description)
  })

  const customerOf = Effect.fnUntraced(function*(call: Call) {
    const { id } = accountOf(call)
    const plan = plans[(yield* meter.summary(id)).tier]
    const by = { account: id, perMonth: plan.analyses.snapshots }
    return { account: id, confinedAs: id, by, plan, mode: call.mode, callId: call.id } satisfies Customer
  })

  const ofRepository = Effect.fnUntraced(
    function*(customer: Customer, url: string, token: Redacted.Redacted<string> | undefined) {
      const repository = yield* Effect.mapError(
        Effect.fromResult(repositoryOf(github, url)),
        ({ message }) => new InvalidUrl({ message: `github_url: ${message}` })
      )
      if ("network" in customer.by) yield* Effect.mapError(store.countNetwork(customer.by.network), notKept)
      const tarball = yield* Effect.mapError(repositories.fetch(repository, token), notFetched)
      return (yield* analyzed(customer, { tarball }, { project_name: repository.name })).analysis
    },
    Effect.scoped
  )

  const repository = Effect.fnUntraced(function*(url: string, call: Call) {
    const customer = yield* customerOf(call)
    return yield* ofRepository(customer, url, yield* tokens.find(customer.account))
  })

  const keep = Effect.fnUntraced(function*({ files, ...description }: Project, call: Call, asked: Asked) {
    return yield* analyzed({ ...yield* customerOf(call), asked }, { files }, description)
  })
  const files = (project: Project, call: Call) => Effect.map(keep(project, call, {}), ({ analysis }) => analysis)

  const look = Effect.fnUntraced(function*({ files: sent, ...given }: Project, confinedAs: string, asked: Asked) {
    const { files, skipped } = yield* Effect.mapError(snapshotPrograms.analysis.take(confinedAs, { files: sent }), notTaken)
    yield* withinPlan(files, plans.free)
    const description = masked(given)
    const request = { account: ANONYMOUS, confinedAs, snapshot_id: "", description, make: "free", ...asked } as const
    const made = yield* snapshotPrograms.make(files, request)
    return { ...made, skipped: [...made.skipped, ...skipped] }
  })

  const anonymous = (url: string, network: string) =>
    ofRepository(
      { account: ANONYMOUS, confinedAs: `network ${network}`, by: { network, counted: true }, plan: plans.free, mode: "lite" },
      url,
      undefined
    ).pipe(Effect.timeoutOrElse({
      duration: ANONYMOUS_SECONDS * 1000,
      orElse: () => Effect.fail(new Unreadable({ message: `The analysis took longer than ${ANONYMOUS_SECONDS} s and was given up.` }))
    }))

  const program = Effect.fnUntraced(
    function*({ program, snapshot_id }: { readonly snapshot_id: string; readonly program: string }, viewer: string = ANONYMOUS) {
      if (!programs.some(({ name }) => name === program)) {
        return yield* new ProgramNotFound({ message: "No program of this name runs. list_programs says which do." })
      }
      const { account, description, files } = yield* Effect.catchTag(
        store.content(viewer, snapshot_id),
        "StoreBusy",
        (error) => Effect.fail(storeBusy(error))
      )
      const { artifacts } = yield* store.get(viewer, snapshot_id)
      const request = {
        account,
        confinedAs: viewer === ANONYMOUS ? snapshot_id : viewer,
        snapshot_id,
        description,
        make: isPaid(program, artifacts) ? "all" : "free",
        programs: [program]
      } as const
      return { snapshot_id, program, artifacts: yield* snapshotPrograms.remake(files, request) }
    }
  )

  const wall = Effect.mapError(snapshotPrograms.analysis.wall, notConfigured)
  const analyzer = Analyzer.of({
    get: Effect.as(wall, { repository, files, anonymous, program }),
    weaknesses: Effect.match(wall, { onFailure: () => [], onSuccess: ({ weaknesses }) => weaknesses })
  })
  return Context.make(Analyzer, analyzer).pipe(Context.add(Analyses, Analyses.of({ wall, keep, look })))
})

export const layer = Layer.effectContext(make)
