/**
 * The routes that signed URLs of `svc_object_storage` lead to, where objects lie in files of this machine. The signature is the only
 * permission that is asked for, and bodies pass as streams.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { BUCKET } from "@svc/engines/object-storage/files"
import { keyIn, pathOf } from "@svc/engines/object-storage/keys"
import { LocalObjects } from "@svc/engines/object-storage/local"
import { type SignatureRefused, verify } from "@svc/engines/object-storage/signature"
import { ObjectRefused, type StoreUnavailable } from "@svc/engines/object-storage/store"
import { whileTaken } from "@svc/kernel/http/streamed"
import { watchesItself } from "@svc/kernel/http/uploads"
import { errorCodes } from "@svc/kernel/resource/errors"
import { realNow } from "@svc/kernel/values/time"
import { Site } from "@svc/tool-kit/services/site"
import { Duration, Effect, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { json, type Response } from "../mcp/responses.ts"

const PREFIX = `/s3/${BUCKET}/`
/** Within which the next piece of a body has to come, or to be taken. */
const PATIENCE = Duration.seconds(30)
const RETRY_AFTER = 60
/** Characters of a media type. */
const MAX_TYPE = 255

type Refusal = SignatureRefused | ObjectRefused | StoreUnavailable

const codeOf = (refusal: Refusal): keyof typeof errorCodes => {
  if (refusal._tag === "SignatureRefused") return "forbidden"
  if (refusal._tag === "StoreUnavailable" || refusal.reason === "disk_full") return "service_unavailable"
  return refusal.reason === "mismatch" || refusal.reason === "broken_off" ? "validation_error" : "payload_too_large"
}

const refused = (refusal: Refusal): Response => {
  const { error, status } = errorCodes[codeOf(refusal)]
  const { message } = refusal
  if (status === 503) return json({ error, message, details: { retry_after: RETRY_AFTER } }, status)
  return json(status === 400 ? { error, code: "body", message: `body: ${message}` } : { error, message }, status)
}

const notFound = (message: string): Response => json({ error: "not_found", message }, 404)

const brokenOff = (message: string) => new ObjectRefused({ reason: "broken_off", message: `${message} Send the object again.` })

/** A download is named by the last segment of its key, which RFC 8187 writes as a path does. */
const dispositionOf = (key: string): string => `attachment; filename*=UTF-8''${pathOf(key.slice(key.lastIndexOf("/") + 1))}`

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const local = yield* LocalObjects
  if (local === undefined) return
  const { accessKey, files } = local
  const { tools_url } = yield* Site

  /** The object that a signed URL names; undefined when its key is spelled in another way than we sign it. */
  const authorized = Effect.fnUntraced(function*(method: "GET" | "PUT") {
    const request = yield* HttpServerRequest.HttpServerRequest
    const at = yield* realNow
    // Signed for the address that is public, whatever a proxy writes into Host.
    yield* verify(accessKey, { method, url: `${tools_url}${request.url}`, headers: request.headers }, at)
    const [path = ""] = request.url.split("?")
    return { request, at, key: path.startsWith(PREFIX) ? keyIn(path.slice(PREFIX.length)) : undefined }
  })

  const upload = Effect.gen(function*() {
    const { at, key, request } = yield* authorized("PUT")
    if (key === undefined) return notFound("No object may have this key. Ask for a new URL.")
    watchesItself(NodeHttpServerRequest.toIncomingMessage(request))
    const hash = request.headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD"
    if (request.headers["content-encoding"] !== undefined || hash.startsWith("STREAMING")) {
      return refused(brokenOff("The body must come as it is, without Content-Encoding or signed chunks."))
    }
    const content_type = request.headers["content-type"] ?? "application/octet-stream"
    if (content_type.length > MAX_TYPE) return refused(brokenOff(`Its Content-Type has more than ${MAX_TYPE} characters.`))
    const body = request.stream.pipe(
      Stream.mapError(() => brokenOff("The body broke off.")),
      Stream.timeoutOrElse({ duration: PATIENCE, orElse: () => Stream.fail(brokenOff("No more of the body came.")) })
    )
    const { content_sha256 } = yield* files.put({
      key,
      body,
      at,
      content_type,
      bytes: request.headers["content-length"] === undefined ? undefined : Number(request.headers["content-length"]),
      content_sha256: hash === "UNSIGNED-PAYLOAD" ? undefined : hash
    })
    return HttpServerResponse.empty({ status: 200, headers: { etag: `"${content_sha256}"` } })
  })

  const download = Effect.gen(function*() {
    const { key } = yield* authorized("GET")
    const object = key === undefined ? undefined : yield* files.open(key)
    if (object === undefined) return notFound("There is no object of this key. It may have been deleted, or not uploaded yet.")
    const { body, head } = object
    return HttpServerResponse.stream(yield* whileTaken(body, PATIENCE), {
      contentType: head.content_type,
      contentLength: head.bytes,
      headers: {
        etag: `"${head.content_sha256}"`,
        // What somebody uploaded never runs as a page of this server.
        "content-disposition": dispositionOf(head.key),
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer"
      }
    })
  })

  const answered = <E extends Refusal, R>(handler: Effect.Effect<Response, E, R>) =>
    Effect.catch(handler, (refusal) => Effect.succeed(refused(refusal)))
  yield* router.add("PUT", "/s3/*", answered(upload))
  yield* router.add("GET", "/s3/*", answered(download))
}))
