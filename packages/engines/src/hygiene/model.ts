/** What goes to the engine of `inspect.ts` and comes back. */
import { Schema } from "effect"

export interface InspectOptions {
  readonly config: {
    readonly maxFileBytes?: number
    readonly coverageA?: number
    readonly coverageB?: number
    readonly coverageC?: number
    readonly todoDebtThreshold?: number
  }
  /** Whether a plan is wanted, and whether patch and SARIF are. */
  readonly plan: boolean
  readonly patch: boolean
  /** Looks for secrets and for nothing else. */
  readonly only?: "secrets"
}

const Finding = Schema.Struct({
  rule: Schema.String,
  level: Schema.Literals(["error", "warning", "note"]),
  path: Schema.String,
  line: Schema.NullOr(Schema.Natural),
  message: Schema.String
})

export const InspectAnswer = Schema.Union([
  Schema.Struct({ refused: Schema.String }),
  Schema.Struct({
    secrets: Schema.Array(Schema.Struct({ path: Schema.String, line: Schema.Natural })),
    /** Paths of files that hold a secret which was found in any of them. */
    secretive: Schema.Array(Schema.String)
  }),
  Schema.Struct({
    grade: Schema.Literals(["A", "B", "C", "D", "F"]),
    reasons: Schema.Array(Schema.String),
    dimensions: Schema.Record(Schema.String, Schema.Finite),
    counts: Schema.Record(Schema.String, Schema.Natural),
    findings: Schema.Array(Finding),
    remediation_plan: Schema.optionalKey(Schema.Array(Schema.String)),
    patch: Schema.optionalKey(Schema.String),
    sarif: Schema.optionalKey(Schema.Json)
  })
])
export type InspectAnswer = typeof InspectAnswer.Type
export type InspectReport = Extract<InspectAnswer, { readonly grade: unknown }>
export type SecretPlaces = Extract<InspectAnswer, { readonly secrets: unknown }>
