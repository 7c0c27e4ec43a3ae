/** Documents as Markdown, read in a child behind the wall. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import { makeOcr } from "@svc/engines/documents/ocr"
import {
  type DocumentPicture,
  type DocumentRefused,
  type DocumentRequest,
  makeDocumentReader,
  type ReadDocument
} from "@svc/engines/documents/reader"
import { checkJson, type SchemaRefused } from "@svc/engines/json-schema/check"
import type { BeingFetched, NotFetched } from "@svc/platform/fetched/model"
import type { Backend, NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Mode } from "@svc/tool-kit/call"
import { InvalidRequest, Unreadable } from "@svc/tool-kit/services/errors"
import {
  DocumentEmpty,
  DocumentEncrypted,
  type DocumentFailure,
  DocumentReader,
  DocumentTooLarge,
  DocumentUnknown,
  DocumentWithoutText,
  NothingExtracted,
  type ParsedDocument
} from "@svc/tool-kit/services/media"
import { type Context, Effect, Layer, type Schema } from "effect"
import { decodeBase64 } from "./base64.ts"
import { notConfigured } from "./confinement.ts"
import { makeDownload } from "./downloads.ts"

const refused = ({ message, reason }: DocumentRefused): DocumentFailure => {
  switch (reason) {
    case "encrypted":
      return new DocumentEncrypted({ message })
    case "empty":
      return new DocumentEmpty({ message })
    case "unknown":
      return new DocumentUnknown({ message })
    case "without_text":
      return new DocumentWithoutText({ message })
    case "too_large":
      return new DocumentTooLarge({ message })
    case "damaged":
      return new Unreadable({ message })
  }
}

type Failure = BeingFetched | DocumentFailure | DocumentPicture | DocumentRefused | NotFetched | NoWall | SandboxBusy | SchemaRefused

const failed = (error: Failure): DocumentFailure | NotConfigured => {
  switch (error._tag) {
    case "BeingFetched":
    case "NotFetched":
    case "NoWall":
    case "SandboxBusy":
      return notConfigured(error)
    case "DocumentRefused":
      return refused(error)
    case "DocumentPicture":
      return new DocumentWithoutText({ message: "A picture has no text without OCR, which the mode engineer has." })
    case "SchemaRefused":
      return new InvalidRequest({ message: error.message })
    default:
      return error
  }
}

type Reader = Context.Service.Shape<typeof DocumentReader> extends Backend<infer A> ? A : never
type JsonSchema = { readonly [key: string]: Schema.Json }

const judged = Effect.fnUntraced(function*(schema: JsonSchema, parsed: Schema.Json = null, spans: ReadDocument["spans"] = {}) {
  const { errors, valid } = yield* checkJson(schema, parsed)
  return { valid, parsed, schema_errors: errors, spans }
})

const nothingExtracted = new NothingExtracted({
  message:
    "The document names no property of json_schema with a value of its type. Nothing was charged. Leave json_schema out for its text."
})

const MOST_BYTES = 50 * 1024 ** 2

/** The library that reads a format. */
const libraries: Readonly<Record<string, string>> = {
  pdf: "unpdf",
  xlsx: "read-excel-file",
  csv: "csv-parse",
  json: "text",
  markdown: "text",
  text: "text"
}

const backend = Effect.gen(function*() {
  const reader = yield* makeDocumentReader
  const ocr = yield* makeOcr
  const download = yield* makeDownload

  /** What OCR gives is read like any other text: masked, cut and searched in the child. */
  const readPicture = Effect.fnUntraced(function*(request: DocumentRequest, type: string) {
    const { program, text } = yield* ocr.read(request)
    const read = yield* reader.read({ ...request, bytes: Buffer.from(text), mediaType: "text/plain" })
    return { ...read, format: type.replace("image/", ""), program, ocr_text: read.markdown }
  })

  const read = (request: DocumentRequest, mode: Mode) =>
    reader.read(request).pipe(
      Effect.map((read) => ({ ...read, program: libraries[read.format] ?? "officeparser" })),
      Effect.catchTag("DocumentPicture", (picture) => mode === "engineer" ? readPicture(request, picture.mediaType) : Effect.fail(picture))
    )

  const parse: Reader["parse"] = Effect.fnUntraced(
    function*({ json_schema, mime_type = "", source }, call) {
      // A schema that cannot be used is refused before the document is read.
      if (json_schema !== undefined) yield* checkJson(json_schema, null)
      const { name } = yield* reader.wall
      const bytes = yield* "url" in source ? download(source.url, MOST_BYTES) : decodeBase64("document_base64", source.base64)
      const request = {
        account: accountOf(call).id,
        bytes,
        mediaType: mime_type === "" && "mediaType" in bytes ? bytes.mediaType : mime_type,
        chunks: call.mode === "engineer",
        jsonSchema: json_schema
      }
      const { extracted, format, program, spans, ...document } = yield* read(request, call.mode)
      if (json_schema !== undefined && Object.keys(spans ?? {}).length === 0) return yield* nothingExtracted
      return {
        ...document,
        format_detected: format,
        byte_size: bytes instanceof Uint8Array ? bytes.length : bytes.size,
        untrusted: true,
        engine: `${program}, ${name}`,
        ...(json_schema === undefined ? {} : { extracted: yield* judged(json_schema, extracted, spans) })
      } satisfies ParsedDocument
    },
    Effect.scoped,
    Effect.mapError(failed)
  )

  const wall = Effect.mapError(reader.wall, notConfigured)
  return DocumentReader.of({
    get: Effect.as(wall, { parse }),
    weaknesses: Effect.orElseSucceed(
      Effect.zipWith(reader.wall, ocr.note, ({ weaknesses }, note) => [...weaknesses, ...(note === undefined ? [] : [note])]),
      () => []
    )
  })
})

export const layer = Layer.effect(DocumentReader, backend)
