/** Readiness for purchases by agents: the engine's score on the road of analyses, and what disputes come to by the rules of compliance. */
import { assess } from "@svc/compliance/readiness"
import { Evidence } from "@svc/compliance/readiness-table"
import { parseJson } from "@svc/kernel/values/json"
import { Referrals } from "@svc/metering/referrals/service"
import type { ReadinessAnswer } from "@svc/programs/confined/model"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { Unreadable } from "@svc/tool-kit/services/errors"
import { type Prepared, type PrepareRequest, type Project, ReadinessScorer } from "@svc/tool-kit/services/snapshots"
import { Effect, Layer, Schema } from "effect"
import { Analyses, type KeptAnalysis } from "./analyzer.ts"

const MOST_GAPS = 3

/** Fraud without the card, which is what purchases by agents are disputed for first. */
const REASON = "10.4"

/** All looks without a key have the children of one account together: a limit of calls bounds each network besides. */
const ANONYMOUS_LOOKS = "anonymous looks"

const decodeEvidence = Schema.decodeUnknownEffect(Evidence)
const decodeJson = Schema.decodeUnknownEffect(Schema.Json)

/** The engine scores whenever it is asked to: an answer without a score is a defect. */
const scoreIn = ({ readiness }: { readonly readiness?: ReadinessAnswer }): Effect.Effect<ReadinessAnswer, Unreadable> =>
  readiness === undefined ? Effect.fail(new Unreadable({ message: "The files could not be scored." })) : Effect.succeed(readiness)

const engineerOf = Effect.fnUntraced(function*({ analysis, artifacts }: KeptAnalysis, { dispute_evidence }: ReadinessAnswer) {
  const [endpoint, sandbox_test, pack] = analysis.artifacts.filter(({ path }) => path.startsWith("agent-endpoint/"))
  const text = artifacts.find(({ path }) => path === pack?.path)?.text
  if (endpoint === undefined || sandbox_test === undefined || text === undefined) {
    return yield* Effect.die("an engineer's artifact is missing")
  }
  const evidence = yield* decodeEvidence(dispute_evidence)
  return {
    endpoint,
    sandbox_test,
    evidence_pack: yield* decodeJson(parseJson(text)),
    dispute_readiness: assess({ reason_code: REASON, evidence }).score
  }
}, Effect.orDie)

const make = Effect.gen(function*() {
  const analyses = yield* Analyses
  const referrals = yield* Referrals

  const preview = Effect.fnUntraced(function*(project: Omit<Project, "goals">, call: Call) {
    const result = yield* analyses.look(project, call.account?.id ?? ANONYMOUS_LOOKS, { programs: [], readiness: {} })
    const { frameworks, gaps, programs, risk_level, score } = yield* scoreIn(result)
    return { score, risk_level, top_gaps: gaps.slice(0, MOST_GAPS), frameworks, programs }
  })

  const prepare = Effect.fnUntraced(function*(request: PrepareRequest, call: Call) {
    const { agent_type: _, budget_per_run_cents, files, focus, focus_areas = [], referral_token, spending_window, ...description } = request
    const account = accountOf(call)
    // The same as the header of referrals: who cannot be referred any more pays as before.
    if (referral_token !== undefined) yield* referrals.join(referral_token, account.id)
    const readiness = {
      focus_areas,
      ...budget_per_run_cents === undefined ? {} : { budget_per_run_cents },
      ...spending_window === undefined ? {} : { spending_window }
    }
    const project = { ...description, files, ...focus === undefined ? {} : { goals: [focus] } }
    const kept = yield* analyses.keep(project, call, { readiness })
    const answer = yield* scoreIn(kept)
    const { analysis } = kept
    const scored = {
      score: answer.score,
      risk_level: answer.risk_level,
      top_gaps: answer.gaps.slice(0, MOST_GAPS),
      focus_areas
    } satisfies Prepared
    if (call.mode === "lite") {
      return {
        ...scored,
        artifacts_note: `The snapshot ${analysis.snapshot_id} holds ${analysis.artifact_count} free artifacts: get_artifact reads them. ` +
          "The standard mode makes all artifacts that help with the gaps; engineer adds an endpoint, its test and the evidence."
      }
    }
    return { ...scored, snapshot: analysis, ...call.mode === "engineer" ? { engineer: yield* engineerOf(kept, answer) } : {} }
  })

  return ReadinessScorer.of({
    get: Effect.as(analyses.wall, { preview, prepare }),
    weaknesses: Effect.match(analyses.wall, { onFailure: () => [], onSuccess: ({ weaknesses }) => weaknesses })
  })
})

export const layer = Layer.effect(ReadinessScorer, make)
