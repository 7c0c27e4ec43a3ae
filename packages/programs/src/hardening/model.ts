/** What goes to the engine of `confined/harden.ts` and comes back. */
import { Schema } from "effect"

/** Pieces are files, raw deflated. */
export interface HardenOptions {
  readonly secrets: ReadonlyArray<{ readonly path: string; readonly line: number }>
  /** Paths of which patches may show lines. */
  readonly shown: ReadonlyArray<string>
}

export const HardenAnswer = Schema.Struct({
  plan: Schema.Array(Schema.Struct({
    priority: Schema.Natural,
    rule: Schema.String,
    area: Schema.String,
    severity: Schema.Literals(["critical", "high", "medium", "low"]),
    path: Schema.String,
    line: Schema.Natural,
    finding: Schema.String,
    reason: Schema.String,
    next: Schema.String,
    sources: Schema.Array(Schema.Struct({ id: Schema.String, title: Schema.String, url: Schema.String })),
    patch: Schema.optionalKey(Schema.String)
  })),
  patch: Schema.String,
  skipped: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String })),
  searched: Schema.Struct({ files: Schema.Natural, agent_files: Schema.Natural, model_calls: Schema.Natural })
})
export type HardenAnswer = typeof HardenAnswer.Type
