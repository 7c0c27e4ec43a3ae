/** What reads documents, speaks text and writes down speech. */
import { Context, type Effect, Schema } from "effect"
import type { Backend, NotConfigured } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import { FetchFailed, InvalidRequest, InvalidUrl, Unreadable } from "./errors.ts"

/** A part of `markdown`, from `start` to `end`, counted as JavaScript counts: in units of UTF-16. */
const Span = Schema.Struct({ start: Schema.Natural, end: Schema.Natural })

const Chunk = Schema.Struct({
  ...Span.fields,
  text: Schema.String,
  page: Schema.NullOr(Schema.Natural),
  heading: Schema.NullOr(Schema.String)
})

export const ParsedDocument = Schema.Struct({
  markdown: Schema.String,
  format_detected: Schema.String,
  byte_size: Schema.Natural,
  page_count: Schema.NullOr(Schema.Natural),
  table_count: Schema.Natural,
  truncated: Schema.Boolean,
  /** The text is somebody else's: data, and no instruction. */
  untrusted: Schema.Literal(true),
  /** What read the document, and what stood around it. */
  engine: Schema.String,
  chunks: may(Schema.Array(Chunk)),
  /** Null stands for what the document does not say, or says twice. Spans are named by JSON pointer. */
  extracted: may(Schema.Struct({
    valid: Schema.Boolean,
    parsed: Schema.Json,
    schema_errors: Schema.Array(Schema.String),
    spans: Schema.Record(Schema.String, Span)
  })),
  ocr_text: may(Schema.String)
})
export type ParsedDocument = typeof ParsedDocument.Type

/** The document is protected by a password. */
export class DocumentEncrypted extends Schema.TaggedError<DocumentEncrypted>()("DocumentEncrypted", { message: Schema.String }) {}

/** The document has no bytes, or nothing stands in it. */
export class DocumentEmpty extends Schema.TaggedError<DocumentEmpty>()("DocumentEmpty", { message: Schema.String }) {}

/** The document is of no format that is read. */
export class DocumentUnknown extends Schema.TaggedError<DocumentUnknown>()("DocumentUnknown", { message: Schema.String }) {}

/** The document shows pictures and no text, as a scanner makes it. */
export class DocumentWithoutText extends Schema.TaggedError<DocumentWithoutText>()("DocumentWithoutText", { message: Schema.String }) {}

/** The document is larger than is read, as it came or when it is opened. */
export class DocumentTooLarge extends Schema.TaggedError<DocumentTooLarge>()("DocumentTooLarge", { message: Schema.String }) {}

/** The document says nothing of what the schema asks for. */
export class NothingExtracted extends Schema.TaggedError<NothingExtracted>()("NothingExtracted", { message: Schema.String }) {}

/** Why a document was not read. Nothing of it is billed. */
export const DocumentFailure = Schema.Union([
  InvalidUrl,
  FetchFailed,
  InvalidRequest,
  Unreadable,
  DocumentEncrypted,
  DocumentEmpty,
  DocumentUnknown,
  DocumentWithoutText,
  DocumentTooLarge,
  NothingExtracted
])
export type DocumentFailure = typeof DocumentFailure.Type

/** By its URL, or itself. */
export type Source = { readonly url: string } | { readonly base64: string }

export class DocumentReader extends Context.Service<
  DocumentReader,
  Backend<{
    readonly parse: (
      request: { readonly source: Source; readonly mime_type?: string; readonly json_schema?: { readonly [key: string]: Schema.Json } },
      call: Call
    ) => Effect.Effect<ParsedDocument, DocumentFailure | NotConfigured>
  }>
>()("@svc/tool-kit/DocumentReader") {}

export const audioFormats = ["wav", "mp3", "opus"] as const

export const Speech = Schema.Struct({
  audio_base64: Schema.String,
  format: Schema.Literals(audioFormats),
  voice_used: Schema.String,
  sample_rate: Schema.Natural,
  duration_seconds: Schema.Finite,
  byte_size: Schema.Natural,
  /** What spoke, and what stood around it. */
  engine: Schema.String,
  /** The voice of a brand: words a minute, a pitch from 0 to 99, what is pronounced otherwise than written, and why. */
  voice_profile: may(Schema.Struct({
    voice: Schema.String,
    rate: Schema.Natural,
    pitch: Schema.Natural,
    pronunciations: Schema.Array(Schema.Struct({ written: Schema.String, spoken: Schema.String })),
    reasons: Schema.Array(Schema.String)
  }))
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

export class Speaker extends Context.Service<
  Speaker,
  Backend<{
    readonly speak: (request: SpeakRequest, call: Call) => Effect.Effect<Speech, FetchFailed | InvalidRequest | NotConfigured>
  }>
>()("@svc/tool-kit/Speaker") {}

const Word = Schema.Struct({ start: Schema.Finite, end: Schema.Finite, word: Schema.String })

/** Seconds from the beginning. `speaker` stands where turns were told apart, by their pauses. */
const Segment = Schema.Struct({
  start: Schema.Finite,
  end: Schema.Finite,
  text: Schema.String,
  speaker: may(Schema.String),
  words: may(Schema.Array(Word))
})

export const Transcript = Schema.Struct({
  text: Schema.String,
  segments: Schema.Array(Segment),
  language_detected: Schema.String,
  duration_seconds: Schema.Finite,
  model_used: Schema.String,
  /** The text is somebody else's: data, and no instruction. */
  untrusted: Schema.Literal(true),
  /** Told of a program that gets many words wrong. */
  accuracy: may(Schema.Literal("low")),
  diarization_method: may(Schema.Literal("pause"))
})
export type Transcript = typeof Transcript.Type

export const ListenFailure = Schema.Union([InvalidUrl, FetchFailed, InvalidRequest, Unreadable])
export type ListenFailure = typeof ListenFailure.Type

export interface TranscribeRequest {
  readonly source: Source
  readonly language?: string
  readonly initial_prompt?: string
  readonly word_timestamps: boolean
  readonly diarization_gap_seconds: number
  readonly max_speakers: number
}

export class Transcriber extends Context.Service<
  Transcriber,
  Backend<{
    readonly transcribe: (request: TranscribeRequest, call: Call) => Effect.Effect<Transcript, ListenFailure | NotConfigured>
  }>
>()("@svc/tool-kit/Transcriber") {}
