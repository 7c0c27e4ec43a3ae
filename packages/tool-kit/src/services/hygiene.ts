/** What looks for what a repository should not hold, or should. */
import { Context, type Effect, Schema } from "effect"
import type { Backend, NotConfigured } from "../backend.ts"
import type { Call } from "../call.ts"
import { type File, may } from "../fields.ts"
import { FileLimit, InvalidRequest } from "./errors.ts"

const Finding = Schema.Struct({
  rule: Schema.String,
  level: Schema.Literals(["error", "warning", "note"]),
  path: Schema.String,
  line: Schema.NullOr(Schema.Natural),
  message: Schema.String
})

export const HygieneReport = Schema.Struct({
  grade: Schema.Literals(["A", "B", "C", "D", "F"]),
  reasons: Schema.Array(Schema.String),
  dimensions: Schema.Record(Schema.String, Schema.Finite),
  counts: Schema.Record(Schema.String, Schema.Natural),
  findings: Schema.Array(Finding),
  remediation_plan: may(Schema.Array(Schema.String)),
  /** A unified diff. */
  patch: may(Schema.String),
  /** SARIF 2.1.0. */
  sarif: may(Schema.Json)
})
export type HygieneReport = typeof HygieneReport.Type

/** Why files were not inspected. Nothing of it is billed. */
export const HygieneFailure = Schema.Union([FileLimit, InvalidRequest])
export type HygieneFailure = typeof HygieneFailure.Type

export interface HygieneRequest {
  readonly files: ReadonlyArray<File>
  /** Adds the plan; in engineer mode patch and SARIF, too. */
  readonly fix: boolean
  readonly config: {
    readonly maxFileBytes?: number
    readonly coverageA?: number
    readonly coverageB?: number
    readonly coverageC?: number
    readonly todoDebtThreshold?: number
  }
}

export class Hygiene extends Context.Service<
  Hygiene,
  Backend<{
    readonly inspect: (request: HygieneRequest, call: Call) => Effect.Effect<HygieneReport, HygieneFailure | NotConfigured>
  }>
>()("@svc/tool-kit/Hygiene") {}
