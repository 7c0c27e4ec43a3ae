/**
 * A large answer that is the same for everybody. It is encoded once for each encoding that is asked for, and all who ask share those
 * bytes: an answer costs no more memory than its head, however slowly it is read.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

type Response = HttpServerResponse.HttpServerResponse

/** What is answered, before it is encoded. */
export interface Document {
  readonly text: string
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

const [brotli, deflate] = [promisify(brotliCompress), promisify(gzip)]

/** A tenth smaller than gzip's best, in as little time; brotli's own best takes fifty times as long. */
const QUALITY = 5

/** The smallest first. */
const encodings = {
  br: (bytes: Uint8Array): Promise<Uint8Array> => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => deflate(bytes),
  identity: (bytes: Uint8Array): Promise<Uint8Array> => Promise.resolve(bytes)
}
type Encoding = keyof typeof encodings

/** RFC 9110, section 12.5.3. Who accepts no encoding of ours gets the bytes as they are. */
export const encodingFor = (accepted: string | undefined): Encoding => {
  const welcome = new Map<string, boolean>()
  for (const entry of (accepted ?? "").toLowerCase().split(",")) {
    const [name = "", weight = ""] = entry.split(";").map((part) => part.trim())
    welcome.set(name, !/^q=0(?:\.0*)?$/.test(weight))
  }
  const others = welcome.get("*") ?? false
  return welcome.get("br") ?? others ? "br" : welcome.get("gzip") ?? others ? "gzip" : "identity"
}

/** Whether the asker has this very answer already: RFC 9110, section 13.1.2. */
const isKnown = (etag: string, condition: string | undefined): boolean =>
  condition !== undefined && condition.split(",").some((entry) => ["*", etag, `W/${etag}`].includes(entry.trim()))

const variant = Effect.fnUntraced(function*(document: Omit<Document, "text"> & { readonly bytes: Uint8Array; readonly hash: string }, encoding: Encoding) {
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
})

/** A handler that answers with what `make` makes when it is first asked for. */
export const sharedAnswer = Effect.fnUntraced(function*<E, R>(make: Effect.Effect<Document, E, R>) {
  const made = yield* Effect.cached(Effect.map(make, ({ text, ...document }) => {
    const bytes = new TextEncoder().encode(text)
    return { ...document, bytes, hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) }
  }))
  const of = (encoding: Encoding) => Effect.cached(Effect.flatMap(made, (document) => variant(document, encoding)))
  const variants = yield* Effect.all({ br: of("br"), gzip: of("gzip"), identity: of("identity") })
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }): Effect.Effect<Response, E, R> =>
    Effect.map(variants[encodingFor(headers["accept-encoding"])], ({ etag, unchanged, whole }) =>
      isKnown(etag, headers["if-none-match"]) ? unchanged : whole))
})
