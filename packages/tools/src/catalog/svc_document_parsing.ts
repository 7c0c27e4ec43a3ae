/** A document as markdown. */
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend, weaknessesOf } from "@svc/tool-kit/backend"
import { exactlyOne, may, text, WebUrl } from "@svc/tool-kit/fields"
import { DocumentFailure, DocumentReader, ParsedDocument } from "@svc/tool-kit/services/media"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

/** 6 MiB as base64. A message is read whole, so what is larger comes by its URL. */
const MOST = 8 * 1024 * 1024

export const svc_document_parsing = tool({
  name: "svc_document_parsing",
  title: "Parse a document",
  description: "Markdown of a document by URL, or base64 up to 6 MiB. engineer adds chunks, json_schema extraction and OCR.",
  auth: "key",
  kind: "outside",
  prices: { standard: 2, lite: 1, engineer: 10 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  limits: { seconds: 150, bytes: MOST + 65_536 },
  payload: Schema.Struct({
    document_url: may(WebUrl),
    document_base64: may(text(MOST)),
    mime_type: may(text(255)),
    json_schema: may(Schema.Record(Schema.String, Schema.Json))
  }).check(exactlyOne("document_url", "document_base64")),
  result: ParsedDocument,
  error: Schema.Union([InvalidFields, DocumentFailure]),
  examples: [{ document_base64: "IyBIZWxsbwo=", mime_type: "text/markdown" }],
  services: [DocumentReader],
  ready: backend(DocumentReader),
  weaknesses: weaknessesOf(DocumentReader),
  run: Effect.fnUntraced(function*({ document_base64 = "", document_url, ...rest }, call) {
    const { json_schema } = rest
    yield* engineerOnly(call.mode, { json_schema })
    const source = document_url === undefined ? { base64: document_base64 } : { url: document_url }
    return yield* (yield* backend(DocumentReader)).parse({ source, ...rest }, call)
  })
})
