/** What goes to the engine of `intake.ts` and comes back, and how an analysis is refused. */
import { Data, Schema } from "effect"

/** `tarball`: a gzipped tar whose first folder is the repository. `files`: pieces as `pack` of the programs packs them. */
export interface IntakeOptions {
  readonly source: "tarball" | "files"
}

export const SkippedFile = Schema.Struct({ path: Schema.String, reason: Schema.String })
export type SkippedFile = typeof SkippedFile.Type

/** `deflated` is base64 of the raw deflated text. Paths are in order. */
const TakenFile = Schema.Struct({
  path: Schema.String,
  sha256: Schema.String,
  bytes: Schema.Natural,
  lines: Schema.Natural,
  deflated: Schema.String
})

export const refusals = ["damaged", "too_large", "unsafe_path", "duplicate_path", "too_slow"] as const

export const IntakeAnswer = Schema.Union([
  Schema.Struct({ refused: Schema.Struct({ reason: Schema.Literals(refusals), message: Schema.String }) }),
  Schema.Struct({ files: Schema.Array(TakenFile), skipped: Schema.Array(SkippedFile) })
])
export type IntakeAnswer = typeof IntakeAnswer.Type

/** A file that is analysed. Card numbers and secrets in it are masked. */
export interface SourceFile {
  readonly path: string
  /** Of the masked text, in hex. */
  readonly sha256: string
  /** Of the text. */
  readonly bytes: number
  readonly lines: number
  /** The text, raw deflated. */
  readonly deflated: Uint8Array
}

/** What was sent cannot be analysed, and another try would end the same. */
export class SourceRefused extends Data.TaggedError("SourceRefused")<{
  readonly reason: typeof refusals[number]
  readonly message: string
}> {}

/** No part of the analysis could be made, through no fault of one file. */
export class AnalysisFailed extends Data.TaggedError("AnalysisFailed")<{ readonly message: string }> {}
