/**
 * A large answer that is the same for every client, such as the OpenAPI document. The server compresses the answer once for each
 * encoding, and all clients share these bytes: an answer costs no more memory than its head, however slowly a client reads it.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

type Response = HttpServerResponse.HttpServerResponse

/** The answer before it is compressed. */
export interface SharedDocument {
  readonly text: string
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]

/** Brotli at this quality is a tenth smaller than gzip's best, in as little time; brotli's own best takes fifty times as long. */
const QUALITY = 5

/** The encodings, by the size of their output: smallest first. */
const encodings = {
  br: (bytes: Uint8Array): Promise<Uint8Array> => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => deflate(bytes),
  identity: (bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(bytes)
}
type Encoding = keyof typeof encodings

/** The best encoding of an `Accept-Encoding` header: RFC 9110, section 12.5.3. Without a common encoding the answer is not compressed. */
export const encodingFor = (accepted: string | undefined): Encoding => {
  const welcome = new Map<string, boolean>()
  for (const entry of (accepted ?? "").toLowerCase().split(",")) {
    const [name = "", weight = ""] = entry.split(";").map((part) => part.trim())
    welcome.set(name, !/^q=0(?:\.0*)?$/.test(weight))
  }
  const others = welcome.get("*") ?? false
  return welcome.get("br") ?? others ? "br" : welcome.get("gzip") ?? others ? "gzip" : "identity"
}

/** Whether the client has this answer already, by `If-None-Match`: RFC 9110, section 13.1.2. */
const isKnown = (etag: string, condition: string | undefined): boolean =>
  condition !== undefined && condition.split(",").some((entry) => ["*", etag, `W/${etag}`].includes(entry.trim()))

const variant = Effect.fnUntraced(
  function*(document: Omit<SharedDocument, "text"> & { readonly bytes: Uint8Array; readonly hash: string }, encoding: Encoding) {
    const etag = `"${document.hash}-${encoding}"`
    const headers = { ...document.headers, etag, vary: "accept-encoding", "cache-control": "no-cache", "x-content-type-options": "nosniff" }
    const body = yield* Effect.promise(() => encodings[encoding](document.bytes))
    return {
      etag,
      whole: HttpServerResponse.uint8Array(body, {
        contentType: document.contentType,
        headers: encoding === "identity" ? headers : { ...headers, "content-encoding": encoding }
      }),
      unchanged: HttpServerResponse.empty({ status: 304, headers })
    }
  }
)

/** Makes a handler that answers with the document of `make`, which runs at the first request. */
export const sharedAnswer = Effect.fnUntraced(function*<E, R>(make: Effect.Effect<SharedDocument, E, R>) {
  const made = yield* Effect.cached(Effect.map(make, ({ text, ...document }) => {
    const bytes = new TextEncoder().encode(text)
    return { ...document, bytes, hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) }
  }))
  const of = (encoding: Encoding) => Effect.cached(Effect.flatMap(made, (document) => variant(document, encoding)))
  const variants = yield* Effect.all({ br: of("br"), gzip: of("gzip"), identity: of("identity") })
  return Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    ({ headers }): Effect.Effect<Response, E, R> =>
      Effect.map(
        variants[encodingFor(headers["accept-encoding"])],
        ({ etag, unchanged, whole }) => isKnown(etag, headers["if-none-match"]) ? unchanged : whole
      )
  )
})
