/** What goes to the two engines and comes back: `read.ts` finds facts in files, `make.ts` makes artifacts of facts. */
import { Schema } from "effect"
import { spendingWindows } from "../readiness/engineer/guard.ts"
import { focusAreas, risks } from "../readiness/model.ts"

/**
 * `read`: pieces are files, raw deflated. `facts` of the answer is base64 of the raw deflated text of `facts/stored.ts`, which only `make`
 * opens. A file of which not all facts were found stands in `skipped`, too. `unread` are the files behind one whose parser stopped, which
 * is the last of `skipped`: another child has to read them, because this one answers no request any more. Where it is not empty, the caller
 * throws the child away.
 */
export const ReadAnswer = Schema.Struct({
  files: Schema.Array(Schema.Struct({ path: Schema.String, facts: Schema.String })),
  skipped: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String })),
  unread: Schema.Array(Schema.String)
})
export type ReadAnswer = typeof ReadAnswer.Type

export const CitationJson = Schema.Struct({
  at: Schema.Union([Schema.Natural, Schema.String]),
  path: Schema.String,
  start_line: Schema.Natural,
  end_line: Schema.Natural
})

export const MadeArtifact = Schema.Struct({
  path: Schema.String,
  program: Schema.String,
  free: Schema.Boolean,
  evidence: Schema.Literals(["cited", "none"]),
  text: Schema.String,
  citations: Schema.Array(CitationJson)
})
export type MadeArtifact = typeof MadeArtifact.Type

/** A score of readiness for purchases by agents is wanted. */
export const ReadinessOptions = Schema.Struct({
  /** Gaps of these areas come first. */
  focus_areas: Schema.optionalKey(Schema.Array(Schema.Literals(focusAreas))),
  /** What an endpoint for agents holds them to. */
  budget_per_run_cents: Schema.optionalKey(Schema.Natural),
  spending_window: Schema.optionalKey(Schema.Literals(spendingWindows))
})
export type ReadinessOptions = typeof ReadinessOptions.Type

export const ReadinessAnswer = Schema.Struct({
  score: Schema.Natural,
  risk_level: Schema.Literals(risks),
  gaps: Schema.Array(Schema.Struct({ check: Schema.String, weight: Schema.Natural, finding: Schema.String, next: Schema.String })),
  frameworks: Schema.Array(Schema.String),
  /** Whose artifacts help to close the gaps. */
  programs: Schema.Array(Schema.String),
  /** What the code keeps that answers a dispute. */
  dispute_evidence: Schema.Record(Schema.String, Schema.Union([Schema.Boolean, Schema.Natural]))
})
export type ReadinessAnswer = typeof ReadinessAnswer.Type

/** `make`: pieces are deflated facts by path, as `read` gave them. */
export const MakeOptions = Schema.Struct({
  description: Schema.Struct({
    project_name: Schema.String,
    project_type: Schema.optionalKey(Schema.String),
    frameworks: Schema.optionalKey(Schema.Array(Schema.String)),
    goals: Schema.optionalKey(Schema.Array(Schema.String)),
    packaging: Schema.optionalKey(Schema.Struct({
      project_root: Schema.optionalKey(Schema.String),
      product_name: Schema.optionalKey(Schema.String),
      tagline: Schema.optionalKey(Schema.String),
      target_marketplaces: Schema.optionalKey(Schema.Array(Schema.String))
    }))
  }),
  /** `commands` answers with what is worth running, and makes nothing. */
  make: Schema.Literals(["commands", "free", "all", "engineer"]),
  /** Scores readiness. Without `programs`, those make that close its gaps; for engineers an endpoint with its test is made as well. */
  readiness: Schema.optionalKey(ReadinessOptions),
  /** Names of the programs that make; all that run where it is left out. */
  programs: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Files that were left out or could not be read. */
  skipped: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String }))),
  /** What running commands showed. */
  ran: Schema.Array(Schema.Struct({
    command: Schema.String,
    path: Schema.String,
    start_line: Schema.Natural,
    end_line: Schema.Natural,
    exit_code: Schema.NullOr(Schema.Int),
    output: Schema.String,
    reason: Schema.NullOr(Schema.String)
  }))
})
export type MakeOptions = typeof MakeOptions.Type

/** A command that an artifact would advise, and where it stands. */
export const Advised = Schema.Struct({
  command: Schema.String,
  /** The folder that it runs in, from the root. */
  folder: Schema.String,
  /** What it needs and a snapshot has not, such as installed dependencies: then it is not run. */
  needs: Schema.NullOr(Schema.String),
  path: Schema.String,
  start_line: Schema.Natural,
  end_line: Schema.Natural
})
export type Advised = typeof Advised.Type

export const MakeAnswer = Schema.Struct({
  artifacts: Schema.Array(MadeArtifact),
  programs: Schema.Array(Schema.String),
  commands: Schema.Array(Advised),
  readiness: Schema.optionalKey(ReadinessAnswer),
  /** Files whose facts found no room. */
  skipped: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String }))
})
export type MakeAnswer = typeof MakeAnswer.Type
