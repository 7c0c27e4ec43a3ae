/** Reads documents behind the wall: the libraries that open foreign bytes run in a child that reaches nothing. */
import type { Engine, EngineFailed, EngineRequest } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { Data, Effect, Schema } from "effect"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { MIB, type Reason, reasons } from "./document.ts"

const packageOf = (file: string) => dirname(dirname(dirname(file)))
/** The folder that holds every library. */
const LIBRARIES = packageOf(fileURLToPath(import.meta.resolve("unpdf")))

const parser: Engine = {
  module: `${import.meta.dirname}/parser.ts`,
  shows: [
    dirname(dirname(import.meta.dirname)),
    packageOf(fileURLToPath(import.meta.resolve("@svc/kernel/values/card-numbers"))),
    LIBRARIES
  ],
  webAssembly: false,
  warm: true,
  limits: { memory: 512 * MIB, seconds: 60, output: 32 * MIB }
}

export interface DocumentRequest {
  readonly account: string
  readonly bytes: EngineRequest["bytes"]
  /** What the caller or a server says of the bytes. It decides between formats of text only. */
  readonly mediaType: string
  readonly chunks: boolean
  readonly jsonSchema: { readonly [key: string]: Schema.Json } | undefined
}

const Span = Schema.Struct({ start: Schema.Natural, end: Schema.Natural })

const ReadDocument = Schema.Struct({
  format: Schema.String,
  markdown: Schema.String,
  page_count: Schema.NullOr(Schema.Natural),
  table_count: Schema.Natural,
  truncated: Schema.Boolean,
  chunks: Schema.optionalKey(Schema.Array(Schema.Struct({
    ...Span.fields,
    text: Schema.String,
    page: Schema.NullOr(Schema.Natural),
    heading: Schema.NullOr(Schema.String)
  }))),
  extracted: Schema.optionalKey(Schema.Json),
  spans: Schema.optionalKey(Schema.Record(Schema.String, Span))
})
export type ReadDocument = typeof ReadDocument.Type

const Refused = Schema.Struct({ refused: Schema.Struct({ reason: Schema.Literals(reasons), message: Schema.String }) })
const Picture = Schema.Struct({ picture: Schema.String })
const decodeAnswer = Schema.decodeUnknownEffect(Schema.Union([Refused, Picture, ReadDocument]))

/** The document is not read, and another try would end the same. */
export class DocumentRefused extends Data.TaggedError("DocumentRefused")<{ readonly reason: Reason; readonly message: string }> {}

/** The document is a picture, of which OCR may make text. */
export class DocumentPicture extends Data.TaggedError("DocumentPicture")<{ readonly mediaType: string }> {}

/** A parser that failed was given a document that is broken, or made to break it. */
const broken = (reason: EngineFailed["reason"]): DocumentRefused => {
  const { limits: { memory, seconds } } = parser
  switch (reason) {
    case "timeout":
      return new DocumentRefused({ reason: "too_large", message: `The document takes more than ${seconds} seconds to read. Split it.` })
    case "output":
      return new DocumentRefused({ reason: "too_large", message: "What stands in the document is too much for one answer. Split it." })
    case "ended":
      return new DocumentRefused({
        reason: "too_large",
        message: `The document takes more than ${memory / MIB} MiB of memory to read, or is broken. Split it, or save it anew.`
      })
    case "refused":
      return new DocumentRefused({
        reason: "damaged",
        message: "The document cannot be read: it is broken. Save it anew, and send it again."
      })
  }
}

export const makeDocumentReader = Effect.gen(function*() {
  const confined = yield* Confined

  const read = Effect.fnUntraced(function*({ account, bytes, chunks, jsonSchema, mediaType }: DocumentRequest) {
    const options = { media_type: mediaType, chunks, json_schema: jsonSchema ?? null }
    const answer = yield* confined.ask(parser, { account, bytes, options }).pipe(
      Effect.catchTag("EngineFailed", ({ reason }) => Effect.fail(broken(reason)))
    )
    // What the child says is foreign: an answer of another form comes of a broken document, too.
    const decoded = yield* Effect.mapError(decodeAnswer(answer), () => broken("refused"))
    if ("refused" in decoded) return yield* new DocumentRefused(decoded.refused)
    if ("picture" in decoded) return yield* new DocumentPicture({ mediaType: decoded.picture })
    return decoded
  })

  return { read, wall: confined.wall }
})
