/** What reads documents, speaks text and writes down speech. */
import { Context, type Effect, Schema } from "effect"
import type { Backend } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import type { FetchFailed, InvalidRequest, InvalidUrl, Unreadable } from "./errors.ts"

const Chunk = Schema.Struct({ text: Schema.String, page: Schema.NullOr(Schema.Natural), heading: Schema.NullOr(Schema.String) })

export const ParsedDocument = Schema.Struct({
  markdown: Schema.String,
  format_detected: Schema.String,
  byte_size: Schema.Natural,
  page_count: Schema.NullOr(Schema.Natural),
  table_count: Schema.Natural,
  truncated: Schema.Boolean,
  chunks: may(Schema.Array(Chunk)),
  extracted: may(Schema.Struct({ valid: Schema.Boolean, parsed: Schema.Json, schema_errors: Schema.Array(Schema.String) })),
  ocr_text: may(Schema.String)
})
export type ParsedDocument = typeof ParsedDocument.Type

/** By its URL, or itself. */
export type Source = { readonly url: string } | { readonly base64: string }

export class DocumentReader extends Context.Service<DocumentReader, Backend<{
  readonly parse: (
    request: { readonly source: Source; readonly mime_type?: string; readonly json_schema?: { readonly [key: string]: Schema.Json } },
    call: Call
  ) => Effect.Effect<ParsedDocument, InvalidUrl | FetchFailed | Unreadable | InvalidRequest>
}>>()("@svc/tools/DocumentReader") {}

export const audioFormats = ["wav", "mp3", "opus"] as const

export const Speech = Schema.Struct({
  audio_base64: Schema.String,
  format: Schema.Literals(audioFormats),
  voice_used: Schema.String,
  sample_rate: Schema.Natural,
  duration_seconds: Schema.Finite,
  byte_size: Schema.Natural
})
export type Speech = typeof Speech.Type

export interface SpeakRequest {
  readonly text: string
  readonly voice?: string
  readonly format: typeof audioFormats[number]
  readonly sentence_silence: number
  readonly brand_text?: string
  readonly locale?: string
  readonly gender?: "female" | "male" | "neutral"
}

export class Speaker extends Context.Service<Speaker, Backend<{
  readonly speak: (request: SpeakRequest, call: Call) => Effect.Effect<Speech, InvalidRequest>
}>>()("@svc/tools/Speaker") {}

const Word = Schema.Struct({ start: Schema.Finite, end: Schema.Finite, word: Schema.String })

/** Seconds from the beginning. `speaker` stands where turns were told apart, by their pauses. */
const Segment = Schema.Struct({ start: Schema.Finite, end: Schema.Finite, text: Schema.String, speaker: may(Schema.String), words: may(Schema.Array(Word)) })

export const Transcript = Schema.Struct({
  text: Schema.String,
  segments: Schema.Array(Segment),
  language_detected: Schema.String,
  duration_seconds: Schema.Finite,
  model_used: Schema.String
})
export type Transcript = typeof Transcript.Type

export interface TranscribeRequest {
  readonly source: Source
  readonly language?: string
  readonly initial_prompt?: string
  readonly word_timestamps: boolean
  readonly diarization_gap_seconds: number
  readonly max_speakers: number
}

export class Transcriber extends Context.Service<Transcriber, Backend<{
  readonly transcribe: (request: TranscribeRequest, call: Call) => Effect.Effect<Transcript, InvalidUrl | FetchFailed | Unreadable>
}>>()("@svc/tools/Transcriber") {}
